using System.Buffers;
using Transfer.S3.Buffers;
using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>A multipart upload of a probe.</summary>
/// <param name="area">The objects of the probe.</param>
/// <param name="target">The object.</param>
/// <param name="id">The ID of the upload.</param>
internal sealed class ProbeUpload(ProbeArea area, NewObject target, string id)
{
    private readonly List<UploadedPart> _parts = [];
    private readonly ObjectChecksum _sum = new();
    private long _bytes;

    public string Id => id;

    public ObjectAddress Address => target.Address;

    /// <summary>Gets the checksum of the object; null without an algorithm.</summary>
    public string? Checksum => target.Checksum == ChecksumAlgorithm.None ? null : _sum.FullObject;

    /// <summary>Sends the next part.</summary>
    public async Task SendPartAsync(long length, CancellationToken cancellationToken)
    {
        ReadOnlySequence<byte> content = ProbeArea.Zeros(length);
        string? checksum = target.Checksum == ChecksumAlgorithm.None ? null : ProbeArea.ComputeChecksum(content, target.Checksum);
        if (checksum is not null)
        {
            _sum.Add(PartChecksum.TryParse(target.Checksum, checksum, length)!.Value);
        }

        int number = _parts.Count + 1;
        RequestBody body = new(new SequenceBytes(content), checksum);
        _bytes += length;
        _parts.Add(await area.SendAsync((wire, token) => wire.UploadPartAsync(target, id, number, body, token), cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Copies a whole object to the next part.</summary>
    public async Task CopyPartAsync(CopySource source, CancellationToken cancellationToken)
    {
        int number = _parts.Count + 1;
        _bytes += source.Info.Length;
        _parts.Add(await area.SendAsync(
            (wire, token) => wire.UploadPartCopyAsync(source, target, id, number, 0, source.Info.Length, token), cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Copies a range of an object to the next part, which must get the checksum of the algorithm of the upload.</summary>
    /// <returns>The checksum of the response; null if it has none.</returns>
    public async Task<string?> CopyPartAsync(CopySource source, long offset, PartChecksumValue checksum, CancellationToken cancellationToken)
    {
        int number = _parts.Count + 1;
        _sum.Add(checksum);
        _bytes += checksum.Crc.Length;
        UploadedPart part = await area.SendAsync(
            (wire, token) => wire.UploadPartCopyAsync(source, target, id, number, offset, checksum.Crc.Length, token), cancellationToken).ConfigureAwait(false);
        _parts.Add(new UploadedPart(number, part.ETag, checksum.ToBase64()) { IsChecksumKnown = part.Checksum is not null });
        return part.Checksum;
    }

    /// <summary>Publishes the object.</summary>
    public async Task<PublishedObject> CompleteAsync(WriteCondition condition, CancellationToken cancellationToken) => area.Completed(
        id,
        await area.SendAsync(
            (wire, token) => wire.CompleteMultipartUploadAsync(target with { Condition = condition }, id, _parts, Checksum, _bytes, token), cancellationToken).ConfigureAwait(false));
}
