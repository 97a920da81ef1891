package tl

// DeviceLibrary are the names of libdevice that Triton has.
var DeviceLibrary = deviceLibrary
