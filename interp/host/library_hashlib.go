package host

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// hashFunctions are those that prelude/hashlib.py stands on. The program provides them (Options.Codecs).
func hashFunctions() map[string]method {
	return map[string]method{
		"_sizes(name)": func(m *machine, a arguments) Value {
			h := hasherNamed(m, m.strOf(a.positional[0]))
			return Tuple{intValue(h.Size()), intValue(h.BlockSize())}
		},
		"_digest(name, data)": func(m *machine, a arguments) Value {
			h := hasherNamed(m, m.strOf(a.positional[0]))
			h.Write([]byte(mustBytes(a.positional[1])))
			return Bytes(h.Sum(nil))
		},
	}
}

// textBytes are the bytes of a bytes-like object or an ASCII str.
func textBytes(v Value) string {
	if s, ok := plain(v).(python.Str); ok {
		return string(s)
	}
	return mustBytes(v)
}

// base64Functions are those of base64 and binascii.
func base64Functions() map[string]method {
	encode := func(e *base64.Encoding) method {
		return func(m *machine, a arguments) Value {
			data := mustBytes(a.positional[0])
			m.budget.chargeItems(2 * len(data))
			return Bytes(e.EncodeToString([]byte(data)))
		}
	}
	decode := func(alphabet *strings.Replacer) method {
		return func(m *machine, a arguments) Value {
			text := alphabet.Replace(textBytes(a.positional[0]))
			// Python skips what is not of the alphabet, line ends above all.
			text = strings.Map(func(r rune) rune {
				letter := r|0x20 >= 'a' && r|0x20 <= 'z' && r < 0x80 // 0x20 makes ASCII letters small
				if r == '+' || r == '/' || r == '=' || r >= '0' && r <= '9' || letter {
					return r
				}
				return -1
			}, text)
			data, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				raise("ValueError", "Incorrect padding")
			}
			m.budget.chargeItems(len(data))
			return Bytes(data)
		}
	}
	plainText, urlText := strings.NewReplacer(), strings.NewReplacer("-", "+", "_", "/")
	return map[string]method{
		"b64encode(s)":                                encode(base64.StdEncoding),
		"standard_b64encode(s)":                       encode(base64.StdEncoding),
		"urlsafe_b64encode(s)":                        encode(base64.URLEncoding),
		"b64decode(s, altchars=None, validate=False)": decode(plainText),
		"standard_b64decode(s)":                       decode(plainText), "urlsafe_b64decode(s)": decode(urlText),
		"b16encode(s)": func(m *machine, a arguments) Value {
			return Bytes(strings.ToUpper(hex.EncodeToString([]byte(mustBytes(a.positional[0])))))
		},
		"hexlify(data)": func(m *machine, a arguments) Value {
			return Bytes(hex.EncodeToString([]byte(mustBytes(a.positional[0]))))
		},
		"unhexlify(hexstr)": func(m *machine, a arguments) Value {
			data, err := hex.DecodeString(textBytes(a.positional[0]))
			if err != nil {
				raise("ValueError", "Non-hexadecimal digit found")
			}
			return Bytes(data)
		},
		"crc32(data, value=0, /)": func(m *machine, a arguments) Value {
			return python.NewInt(int64(crc32(uint32(asIndex(a.positional[1])), mustBytes(a.positional[0]))))
		},
	}
}

// crc32 goes on with a checksum, one bit at a time: the polynomial of IEEE 802.3, its bits reversed.
func crc32(sum uint32, data string) uint32 {
	sum = ^sum
	for i := range len(data) {
		sum ^= uint32(data[i])
		for range 8 {
			sum = sum>>1 ^ -(sum&1)&0xedb88320
		}
	}
	return ^sum
}
