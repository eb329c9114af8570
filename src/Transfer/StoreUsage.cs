namespace Transfer.S3;

/// <summary>The requests to a store by the classes that stores have prices for, and the content that they move.</summary>
/// <remarks>
/// The classes are those of the price list of Amazon S3. Each attempt is a request, because stores count a request that fails, too. A redirection to another region isn't
/// counted.
/// </remarks>
public readonly record struct StoreUsage
{
    /// <summary>Gets the number of requests that write or copy: PUT, COPY, and POST.</summary>
    public long Writes { get; init; }

    /// <summary>Gets the number of requests that list objects, uploads, parts, or buckets.</summary>
    public long Lists { get; init; }

    /// <summary>Gets the number of requests that read, and of all others: GET and HEAD.</summary>
    public long Reads { get; init; }

    /// <summary>Gets the number of requests that delete or abort. Amazon S3 doesn't charge for them.</summary>
    public long Deletes { get; init; }

    /// <summary>Gets the number of bytes of content that requests send. A body counts as a whole, also if its request fails.</summary>
    public long BytesSent { get; init; }

    /// <summary>Gets the number of bytes of content that were received.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Gets the number of bytes of content that the store copies itself.</summary>
    public long BytesCopied { get; init; }

    /// <summary>Gets the number of requests of all classes.</summary>
    public long Requests => Writes + Lists + Reads + Deletes;

    /// <summary>Adds two usages.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other one.</param>
    public static StoreUsage operator +(StoreUsage left, StoreUsage right) => new()
    {
        Writes = left.Writes + right.Writes,
        Lists = left.Lists + right.Lists,
        Reads = left.Reads + right.Reads,
        Deletes = left.Deletes + right.Deletes,
        BytesSent = left.BytesSent + right.BytesSent,
        BytesReceived = left.BytesReceived + right.BytesReceived,
        BytesCopied = left.BytesCopied + right.BytesCopied,
    };

    /// <summary>Adds two usages.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other one.</param>
    public static StoreUsage Add(StoreUsage left, StoreUsage right) => left + right;

    /// <summary>Gets the usage of the same requests, sent a number of times.</summary>
    /// <param name="usage">The usage.</param>
    /// <param name="times">The number.</param>
    public static StoreUsage operator *(StoreUsage usage, long times) => new()
    {
        Writes = usage.Writes * times,
        Lists = usage.Lists * times,
        Reads = usage.Reads * times,
        Deletes = usage.Deletes * times,
        BytesSent = usage.BytesSent * times,
        BytesReceived = usage.BytesReceived * times,
        BytesCopied = usage.BytesCopied * times,
    };

    /// <summary>Gets the usage of the same requests, sent a number of times.</summary>
    /// <param name="usage">The usage.</param>
    /// <param name="times">The number.</param>
    public static StoreUsage Multiply(StoreUsage usage, long times) => usage * times;
}
