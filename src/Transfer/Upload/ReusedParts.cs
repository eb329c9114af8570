using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The parts of an existing object that are equal to those of the source at the same place, so that the store copies them.</summary>
/// <param name="source">The existing object. Every copy is bound to its ETag.</param>
/// <param name="checksums">The checksum of each part of the source; null for a part that differs, or that the object doesn't have.</param>
internal sealed class ReusedParts(CopySource source, IReadOnlyList<PartChecksumValue?> checksums)
{
    public CopySource Source => source;

    /// <summary>Gets or sets the error of a store that doesn't copy the parts; null if it does.</summary>
    public TransferException? Refusal { get; set; }

    /// <summary>Gets the number of parts that are copied.</summary>
    public int Count => checksums.Count(static sum => sum is not null);

    /// <summary>Gets the checksum of a part that is copied; null if it is sent.</summary>
    public PartChecksumValue? Find(int number) => number <= checksums.Count ? checksums[number - 1] : null;

    /// <summary>Gets the first part after another one that is copied; null if there is none.</summary>
    public (int Number, long Length, PartChecksumValue Checksum)? FindFirst(int after)
    {
        for (int number = after + 1; number <= checksums.Count; number++)
        {
            if (checksums[number - 1] is { } sum)
            {
                return (number, sum.Crc.Length, sum);
            }
        }

        return null;
    }
}
