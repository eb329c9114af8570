namespace Transfer.S3.Wire.Http;

/// <summary>A header of a request, and whether it is part of the signature.</summary>
internal readonly record struct RequestHeader(string Name, string Value, bool IsSigned);
