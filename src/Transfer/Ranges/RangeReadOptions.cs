using Transfer.S3.Requests;

namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.ReadRangesAsync"/> and <see cref="ITransferClient.EnumerateRangesAsync"/>.</summary>
/// <example>
/// <code>
/// RangeReadOptions options = new() { MaxCoalescedBytes = 256 &lt;&lt; 10, IfMatch = "\"5d41402abc4b2a76b9719d911017c592\"" };
/// using RangeBuffers buffers = await client.ReadRangesAsync("bucket", "records.bin", [ObjectRange.From(0, 64), ObjectRange.From(4096, 64)], options);
/// </code>
/// </example>
public sealed record RangeReadOptions : ObjectReadOptions
{
    internal static readonly RangeReadOptions Default = new();

    /// <summary>Gets the maximum number of bytes to request at once.</summary>
    /// <value>The default is 8 MiB. Range: 128 KiB to 1 GiB. If an eighth of <see cref="TransferClientOptions.MemoryBytes"/> is less, that is the maximum.</value>
    /// <remarks>
    /// Ranges that are close to each other are read with one request up to this size, if reading the bytes between them takes no longer than another request. The
    /// client measures how many bytes that are: 16 KiB to 1 MiB, or 64 KiB if nothing was measured yet. Larger ranges are divided into several requests.
    /// The bytes between ranges count as transferred.
    /// </remarks>
    public long MaxCoalescedBytes { get; init; } = TransferDefaults.MaxCoalescedBytes;
}
