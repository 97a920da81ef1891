package host

// osLibrary is os.
func osLibrary(*machine) map[string]Value { return map[string]Value{"environ": newDict()} }
