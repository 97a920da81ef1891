package lens

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ptx/isa"
)

// words are what a report says, by language; the keys are those of the JSON form where it has them.
var words = [2]map[string]string{
	diag.English: {
		"head": "%s (%s), %s. Launches: %d, of %d programs in all, each of %d threads. Counts of the PTX simulator, " +
			"a model; not measured.\n",
		"global": "Global memory, in sectors of 32 bytes", "shared": "Shared memory, in wavefronts",
		"instructions": "Warp instructions of the PTX, by class",
		"line":         "line", "access": "access", "requests": "requests", "ratio": "requested/ideal", "unique": "unique", "source": "source",
		"sectors": "sectors", "wavefronts": "wavefronts", "ideal": "ideal", "each": "per request", "total": "total",
		"load": "load", "store": "store", "atomic": "atomic", "async copy": "async copy", "all": "all",
		"tensor copy": "TMA copy",
		"occupancy": "At most %d programs (%d of %d warps) on a multiprocessor, limited by %s, if a thread has at most " +
			"%d registers; %d bytes of shared memory a program.\n",
		"programs": "the number of programs", "threads": "threads", "shared memory": "shared memory", "registers": "registers",
		"assembled": "ptxas gives a thread %d registers; it spills %d bytes by stores and %d by loads.\n",
		"bytes":     "At least %d bytes are read from global memory and %d written, if caches hold the rest.\n",
		"waves":     "Waves of %d programs, in launch order, read %d sectors of global memory, each counted once a wave.\n",
		"flops":     "Float operations: %s.\n",
		"roofline": "%s: %.3g operations a byte, ridge at %.3g: bound by %s; memory takes %.3g µs at least, arithmetic " +
			"%.3g µs.\n",
		"fill":    "%s: the largest launch keeps %d of %d multiprocessors busy, in %.3g waves.\n",
		"updates": "Line %s: %d atomic updates of %d words, %.1f of each; those of one word wait for each other.\n",
		"memory":  "memory", "compute": "arithmetic",
	},
	diag.Chinese: {
		"head":   "%s（%s），目标 %s：启动 %d 次，共 %d 个程序，每个 %d 个线程。数据由 PTX 模拟器按模型计数，并非实测。\n",
		"global": "全局内存，单位为 32 字节的扇区", "shared": "共享内存，单位为 wavefront",
		"instructions": "PTX 的 warp 指令数，按类别",
		"line":         "行", "access": "访问", "requests": "请求", "ratio": "请求/理想", "unique": "不同", "source": "源代码",
		"sectors": "扇区", "wavefronts": "wavefront", "ideal": "理想", "each": "每个请求", "total": "合计",
		"load": "加载", "store": "存储", "atomic": "原子操作", "async copy": "异步拷贝", "all": "全部",
		"tensor copy": "TMA 拷贝",
		"occupancy": "每个 SM 最多同时运行 %d 个程序（%d / %d 个 warp），受限于%s，前提是每个线程最多用 %d 个寄存器；" +
			"每个程序用 %d 字节共享内存。\n",
		"programs": "程序数量", "threads": "线程数", "shared memory": "共享内存", "registers": "寄存器",
		"assembled": "ptxas 为每个线程分配 %d 个寄存器；溢出存储 %d 字节，溢出加载 %d 字节。\n",
		"bytes":     "若其余访问都命中缓存，至少从全局内存读取 %d 字节、写入 %d 字节。\n",
		"waves":     "按启动顺序每 %d 个程序为一波，各波共读取 %d 个全局内存扇区，同一波内每个扇区只计一次。\n",
		"flops":     "浮点运算：%s。\n",
		"roofline":  "%s：每字节 %.3g 次运算，拐点在 %.3g：受限于%s；内存至少需要 %.3g µs，运算至少需要 %.3g µs。\n",
		"fill":      "%s：最大的一次 kernel 启动使用 %d / %d 个 SM，共 %.3g 波。\n",
		"updates":   "第 %s 行：%d 次原子更新，涉及 %d 个字，每个 %.1f 次；同一个字的更新要逐个等待。\n",
		"memory":    "内存", "compute": "运算",
	},
}

// Text is the report as tables for a terminal.
func (r *Report) Text(lang diag.Lang) string {
	w := words[lang]
	var b strings.Builder
	fmt.Fprintf(&b, w["head"], r.Kernel, r.File, r.Target, r.Launches, r.Programs, r.Threads)
	labels := r.labels()
	for _, m := range []struct {
		memory Memory
		unit   string
	}{{Global, "sectors"}, {Shared, "wavefronts"}} {
		if rows := r.memoryRows(m.memory, labels, w); len(rows) > 0 {
			fmt.Fprintf(&b, "\n%s\n", w[string(m.memory)])
			head := []string{w["line"], w["access"], w["requests"], w[m.unit], w["ideal"], w["ratio"], w["each"],
				w["unique"], w["source"]}
			if m.memory == Shared {
				head = slices.Delete(head, 7, 8)
			}
			diag.WriteTable(&b, append([][]string{head}, rows...))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", w["instructions"])
	diag.WriteTable(&b, r.instructionRows(labels, w))
	b.WriteByte('\n')
	for i, l := range r.Lines {
		for _, t := range l.Memory {
			if t.Updates > t.Words {
				fmt.Fprintf(&b, w["updates"], labels[i], t.Updates, t.Words,
					float64(t.Updates)/float64(t.Words))
			}
		}
	}
	r.writeSummary(&b, w)
	return b.String()
}

// labels are the lines' numbers, with the file where that is not the kernel's.
func (r *Report) labels() []string {
	var labels []string
	for _, l := range r.Lines {
		switch {
		case l.Line == 0:
			labels = append(labels, "-")
		case l.File == r.File:
			labels = append(labels, strconv.Itoa(l.Line))
		default:
			labels = append(labels, l.File+":"+strconv.Itoa(l.Line))
		}
	}
	return labels
}

func (r *Report) memoryRows(m Memory, labels []string, w map[string]string) (rows [][]string) {
	for i, l := range r.Lines {
		for _, t := range l.Memory {
			if t.Memory == m {
				row := []string{labels[i], w[string(t.Access)], decimal(t.Requests), decimal(t.Units),
					decimal(t.Ideal), quotient(t.Units, t.Ideal), quotient(t.Units, t.Requests)}
				if m == Global {
					row = append(row, decimal(t.Unique))
				}
				rows = append(rows, append(row, l.Source))
			}
		}
	}
	return rows
}

func (r *Report) instructionRows(labels []string, w map[string]string) [][]string {
	var classes []string // that occur
	for c := range isa.NumClasses {
		if r.Instructions[c.String()] > 0 {
			classes = append(classes, c.String())
		}
	}
	row := func(label string, counts map[string]uint64, source string) []string {
		all, cells := uint64(0), []string{}
		for _, c := range classes {
			all += counts[c]
			cells = append(cells, decimal(counts[c]))
		}
		return slices.Concat([]string{label, decimal(all)}, cells, []string{source})
	}
	rows := [][]string{slices.Concat([]string{w["line"], w["all"]}, classes, []string{w["source"]})}
	for i, l := range r.Lines {
		rows = append(rows, row(labels[i], l.Instructions, l.Source))
	}
	return append(rows, row(w["total"], r.Instructions, ""))
}

func (r *Report) writeSummary(b *strings.Builder, w map[string]string) {
	if a := r.Assembled; a != nil {
		fmt.Fprintf(b, w["assembled"], a.Registers, a.SpillStores, a.SpillLoads)
	}
	o := r.Occupancy
	fmt.Fprintf(b, w["occupancy"], o.Programs, o.Warps, o.MostWarps, w[string(o.Limit)], o.MaxRegisters, r.Shared)
	fmt.Fprintf(b, w["bytes"], r.ReadBytes, r.WrittenBytes)
	if r.Simulated == r.Programs && r.Programs > uint64(r.Wave) {
		fmt.Fprintf(b, w["waves"], r.Wave, r.WaveSectors)
	}
	var flops []string
	for c := range isa.NumClasses {
		if n := r.FLOPs[c.String()]; n > 0 {
			flops = append(flops, fmt.Sprintf("%s %d", c, n))
		}
	}
	if len(flops) > 0 {
		fmt.Fprintf(b, w["flops"], strings.Join(flops, ", "))
	}
	for _, f := range r.Roofline {
		fmt.Fprintf(b, w["roofline"], f.GPU, f.Intensity, f.Ridge, w[f.Bound()], f.MemorySeconds*1e6,
			f.ComputeSeconds*1e6)
		if f.Busy < f.Multiprocessors || f.Waves != math.Trunc(f.Waves) {
			fmt.Fprintf(b, w["fill"], f.GPU, f.Busy, f.Multiprocessors, f.Waves)
		}
	}
	b.WriteByte('\n')
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// quotient is a/b with one digit; b is not 0 where a line has traffic.
func quotient(a, b uint64) string { return strconv.FormatFloat(float64(a)/float64(b), 'f', 1, 64) }
