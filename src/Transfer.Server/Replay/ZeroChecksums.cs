using System.Collections.Concurrent;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Replay;

/// <summary>Computes checksums of the zeros that replace the data of recorded objects.</summary>
internal sealed class ZeroChecksums
{
    private const int BlockBytes = 64 << 10;
    private static readonly byte[] Block = new byte[BlockBytes];
    private readonly ConcurrentDictionary<string, string> _known = new(StringComparer.Ordinal);

    /// <summary>Gets the value for a header of a recorded response; null if it isn't the checksum of a whole object.</summary>
    public string? ValueFor(RecordedResponse recorded, string header)
        => ChecksumInfo.FromHeaderName(header) is { } info
            && recorded is { Status: 200, Document: null, ObjectSize: { } length }
            && !string.Equals(recorded.Header(ChecksumTypeNames.HeaderName), "COMPOSITE", StringComparison.OrdinalIgnoreCase)
                ? _known.GetOrAdd($"{info.Algorithm} {length}", _ => Compute(info.Algorithm, length))
                : null;

    private static string Compute(ChecksumAlgorithm algorithm, long length)
    {
        using RunningChecksum checksum = ChecksumInfo.Get(algorithm).Begin();
        for (long left = length; left > 0; left -= BlockBytes)
        {
            checksum.Append(Block.AsSpan(0, (int)Math.Min(left, BlockBytes)));
        }

        return checksum.Finish();
    }
}
