--  Says where its own parts are: lines as tests/languages/generate.py describes them; V for what one variant has.
with Ada.Text_IO; use Ada.Text_IO;
procedure Variants is
   type Small is range 0 .. 7;
   type Simple is record
      A : Integer;
      B : Character;
      C : Long_Float;
      D : Boolean;
   end record;
   type Packed is record
      A : Small;
      B : Boolean;
   end record;
   for Packed use record
      A at 0 range 0 .. 2;
      B at 0 range 3 .. 3;
   end record;
   type Kind is (Circle, Square, Nothing);
   type Shape (K : Kind := Circle) is record
      X : Integer;
      case K is
         when Circle => Radius : Long_Float; Q : Character;
         when Square => Side : Short_Integer;
         when others => null;
      end case;
   end record;
   type Vec is array (1 .. 5) of Integer;
   type Mat is array (1 .. 2, 0 .. 3) of Short_Integer;
   type Arrays is record
      V : Vec;
      M : Mat;
      S : String (1 .. 7);
   end record;
   S : Simple := (1, 'b', 2.0, True);
   P : Packed := (A => 2, B => True);
   C : Shape := (Circle, 1, 2.0, 'q');
   Q : Shape (Square) := (Square, 1, 2);
   R : Arrays := (V => (others => 1), M => (others => (others => 2)), S => "1234567");

   function I (Value : Integer) return String is
      Image : constant String := Integer'Image (Value);
   begin
      return Image (Image'First .. Image'Last);
   end I;
begin
   Put_Line ("S variants__simple" & I (S'Size / 8) & " 8");
   Put_Line ("M a" & I (S.A'Position) & " 4");
   Put_Line ("M b" & I (S.B'Position) & " 1");
   Put_Line ("M c" & I (S.C'Position) & " 8");
   Put_Line ("M d" & I (S.D'Position) & " 1");
   Put_Line ("S variants__packed 1 1");
   Put_Line ("F a" & I (P.A'Position) & I (P.A'First_Bit) & I (P.A'Last_Bit - P.A'First_Bit + 1));
   Put_Line ("F b" & I (P.B'Position) & I (P.B'First_Bit) & I (P.B'Last_Bit - P.B'First_Bit + 1));
   Put_Line ("S variants__arrays" & I (R'Size / 8) & " 4");
   Put_Line ("M v" & I (R.V'Position) & " 20");
   Put_Line ("M m" & I (R.M'Position) & " 16");
   Put_Line ("M s" & I (R.S'Position) & " 7");
   Put_Line ("S variants__shape -1 8");
   Put_Line ("M k" & I (C.K'Position) & " 1");
   Put_Line ("M x" & I (C.X'Position) & " 4");
   Put_Line ("V .radius" & I (C.Radius'Position) & " 8");
   Put_Line ("V .q" & I (C.Q'Position) & " 1");
   Put_Line ("V .side" & I (Q.Side'Position) & " 2");
end Variants;
