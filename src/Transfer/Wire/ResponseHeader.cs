namespace Transfer.S3.Wire;

/// <summary>A header of a response, as the store sent it.</summary>
/// <param name="Name">The name.</param>
/// <param name="Value">The value.</param>
internal readonly record struct ResponseHeader(string Name, string Value)
{
    /// <summary>The beginning of the names of user metadata.</summary>
    public const string MetadataPrefix = "x-amz-meta-";
}
