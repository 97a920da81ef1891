from json.decoder import JSONDecodeError, JSONDecoder
from json.encoder import JSONEncoder
import json

print(JSONEncoder is json.JSONEncoder, JSONDecoder is json.JSONDecoder)
try:
    JSONDecoder().decode("[1,")
except JSONDecodeError as e:
    print(e)
