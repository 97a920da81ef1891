package asm

// Early puts f's code at the kernel's start, behind that of earlier calls: what f defines may be used anywhere. f
// may use what other calls of Early have defined.
func (p *Program) Early(f func()) {
	body, cold, guard := p.body, p.inCold, p.guard
	p.body, p.inCold, p.guard = pieces{}, false, Reg{}
	f()
	p.early.addAll(&p.body)
	p.body, p.inCold, p.guard = body, cold, guard
}
