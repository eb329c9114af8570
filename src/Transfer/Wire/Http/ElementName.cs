namespace Transfer.S3.Wire.Http;

/// <summary>The name of an element.</summary>
/// <param name="Bytes">The name with its prefix.</param>
/// <param name="Local">The name without its prefix.</param>
internal sealed record ElementName(byte[] Bytes, string Local);
