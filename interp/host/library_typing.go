package host

func typingLibrary() map[string]Value {
	members := map[string]Value{}
	for _, name := range []string{"Any", "Optional", "Union", "List", "Tuple", "Dict", "Set", "Callable", "Iterable",
		"Sequence", "Literal", "NamedTuple", "TypeVar"} {
		members[name] = Text{"typing", "typing." + name}
	}
	return members
}
