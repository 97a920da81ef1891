from json import JSONEncoder
