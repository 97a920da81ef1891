package host

import "testing"

// TestModulesHaveParents: a module becomes a member of the one above it, which has to be there in each set of libraries.
func TestModulesHaveParents(t *testing.T) {
	for name, set := range map[string]Libraries{"SpecLibraries": SpecLibraries(), "AllLibraries": AllLibraries()} {
		for path := range set.makers {
			if parent, _, below := cutLast(path); below && set.makers[parent] == nil {
				t.Errorf("%s has %s and not %s", name, path, parent)
			}
		}
	}
}
