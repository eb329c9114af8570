namespace Transfer.Server.Checksums;

/// <summary>One checksum: base64 of its bytes, with <c>-N</c> behind it when it is a composite of N parts.</summary>
internal readonly record struct ChecksumValue(ChecksumKind Algorithm, string Value);
