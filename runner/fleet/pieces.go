package fleet

// pieces is a sequence of bytes that is not contiguous in memory, such as a kernel and its tensors.
type pieces struct {
	list  [][]byte
	total int64
}

// add appends bytes, which are not copied.
func (p *pieces) add(list ...[]byte) {
	for _, one := range list {
		p.list = append(p.list, one)
		p.total += int64(len(one))
	}
}

// read returns a copy of at most n bytes from at on.
func (p *pieces) read(at, n int64) []byte {
	n = max(0, min(n, p.total-at))
	out := make([]byte, 0, n)
	for _, one := range p.list {
		if at >= int64(len(one)) {
			at -= int64(len(one))
			continue
		}
		out = append(out, one[at:min(int64(len(one)), at+n-int64(len(out)))]...)
		if at = 0; int64(len(out)) == n {
			break
		}
	}
	return out
}
