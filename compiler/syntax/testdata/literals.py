0, 00, 1, 1_000_000, 0x1F, 0Xff_ff, 0o17, 0b1010, 0B1, 123456789012345678901234567890
1.0, 1., .5, 1e10, 1E-5, 1.5e+3, 1_0.0_1, 0.1e1_0, 1e400, 012.5, 0e0
1j, 1.5J, 1e3j, 0j, 1_0j
'a', "b", 'it\'s', "say \"hi\"", '''triple 'quoted'
text''', """also "this" one\
joined"""
r'\d+\'', R"\n", b'bytes\x00\xff', B"b", rb'\x', bR'\y', u'text', U"text"
'\a\b\f\n\r\t\v\\\0\12\377\x41\u00e9\U0001F600', '\d\q\ '
'one' 'two' "three"
('a'
 'b'  # joined
 'c')
b'a' b'b'
'line\
continued'
''
'世界 é'
None, True, False
r'''
raw
'''
