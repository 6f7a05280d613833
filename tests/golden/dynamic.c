// What lies behind an array of variable length (an extension of gcc) has no offset before the program runs: none is
// stated, least of all 0.
// run: struct record
// exit: 1
int fill(int count)
{
	struct record {
		int head;
		char bytes[count];
		int tail;
		unsigned low : 3;
	} record;
	record.head = record.tail = count;
	record.low = 1;
	return record.tail + record.low + (int)sizeof(record);
}
