! Says where its own parts are: lines as tests/languages/generate.py describes them.
module records
  implicit none
  type :: point
    real(8) :: x, y
    integer(2) :: tag
  end type
  type, extends(point) :: pixel
    integer :: color(3)
    character(len=5) :: name
  end type
  type :: box
    type(point) :: corners(2, 3)
    real, allocatable :: values(:)
    integer, pointer :: p
    complex(8) :: z
    logical(1) :: flag
    integer :: low(-1:2)
  end type
  type(point), target :: a_point
  type(pixel), target :: a_pixel
  type(box), target :: a_box
end module
program main
  use records
  allocate (a_box%values(4))
  print '(a,i0,a)', 'S records::point ', sizeof(a_point), ' 8'
  print '(a,i0,a)', 'M x ', loc(a_point%x) - loc(a_point), ' 8'
  print '(a,i0,a)', 'M y ', loc(a_point%y) - loc(a_point), ' 8'
  print '(a,i0,a)', 'M tag ', loc(a_point%tag) - loc(a_point), ' 2'
  print '(a,i0,a)', 'S records::pixel ', sizeof(a_pixel), ' 8'
  print '(a,i0,a)', 'M point ', loc(a_pixel%point) - loc(a_pixel), ' 24'
  print '(a,i0,a)', 'M color ', loc(a_pixel%color) - loc(a_pixel), ' 12'
  print '(a,i0,a)', 'M name ', loc(a_pixel%name) - loc(a_pixel), ' 5'
  print '(a,i0,a)', 'S records::box ', sizeof(a_box), ' 8'
  print '(a,i0,a)', 'M corners ', loc(a_box%corners) - loc(a_box), ' 144'
  print '(a,i0,a)', 'O values ', 144, ' 64' ! a descriptor, of a size that debug information does not state
  print '(a,i0,a)', 'O p ', loc(a_box%z) - loc(a_box) - 8, ' 8'
  print '(a,i0,a)', 'M z ', loc(a_box%z) - loc(a_box), ' 16'
  print '(a,i0,a)', 'M flag ', loc(a_box%flag) - loc(a_box), ' 1'
  print '(a,i0,a)', 'M low ', loc(a_box%low) - loc(a_box), ' 16'
end program
