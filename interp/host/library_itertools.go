package host

var itertoolsFunctions = map[string]method{
	"product": func(m *machine, a arguments) Value {
		times := 1
		if v, ok := a.take("repeat"); ok {
			times = int(max(min(asIndex(v), 64), 0))
		}
		var pools [][]Value
		for range times {
			for _, v := range a.positional {
				pools = append(pools, m.itemsOf(v))
			}
		}
		rows := []Value{Tuple{}}
		for _, pool := range pools {
			var grown []Value
			for _, row := range rows {
				for _, v := range pool {
					m.budget.chargeItems(len(row.(Tuple)) + 1)
					grown = append(grown, append(append(Tuple{}, row.(Tuple)...), v))
				}
			}
			rows = grown
		}
		return sliceIterator("product", rows)
	},
	"chain": func(m *machine, a arguments) Value {
		var all []Value
		for _, v := range a.positional {
			items := m.itemsOf(v)
			m.budget.chargeItems(len(items))
			all = append(all, items...)
		}
		return sliceIterator("chain", all)
	},
}
