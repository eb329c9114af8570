namespace Transfer.S3;

/// <summary>The options of the comparison of a file with an object, or of two objects.</summary>
/// <example>
/// <code>
/// VerifyOptions options = new() { ReadContent = false }; // never downloads the object
/// VerifyResult result = await client.VerifyAsync("report.csv", "bucket", "report.csv", options);
/// Console.WriteLine(result.Method == VerifyMethod.None ? "Not compared" : $"{result.IsSame}");
/// </code>
/// </example>
public sealed record VerifyOptions : ObjectAccessOptions
{
    /// <summary>Gets the rate limits of the data that is read for this comparison. The limits of the client apply as well. Of two objects, each is
    /// read at this rate.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>
    /// Gets a value that indicates whether the object is read, up to the first byte that differs, if neither its size nor a checksum nor its ETag is conclusive.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to read the object; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is <see langword="false"/>, such
    /// a comparison returns <see cref="VerifyMethod.None"/>.
    /// </value>
    public bool ReadContent { get; init; } = true;
}
