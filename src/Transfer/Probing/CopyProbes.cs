using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>Which copies a store makes itself.</summary>
internal static class CopyProbes
{
    private const string Source = "copy-source";
    private const string Copy = "copy";

    public static IReadOnlyList<Probe> All { get; } =
    [
        new(Copy, "Copies inside the store", (area, token) => CopyAsync(area, default, token)),
        new("copy-if-absent", "Copies only if the key doesn't exist", CopyIfAbsentAsync) { Trait = StoreTrait.CopyCondition, Requires = [Copy] },
        new("copy-source-if-match", "Copies only of an object that is unchanged", CopySourceIfMatchAsync) { Requires = [Copy] },
        new("part-copy", "Copies of objects of more than 5 GiB inside the store", PartCopyAsync) { Requires = ["multipart"] },
    ];

    private static async Task<Finding> CopyAsync(ProbeArea area, WriteCondition condition, CancellationToken cancellationToken)
    {
        CopySource source = await SourceAsync(area, cancellationToken).ConfigureAwait(false);
        return await ProbeArea.ErrorOfAsync(SendAsync(area, source, condition, cancellationToken)).ConfigureAwait(false) is { } refusal ? Finding.OfError(refusal) : Finding.Supported;
    }

    /// <summary>The target exists, because it was copied before.</summary>
    private static async Task<Finding> CopyIfAbsentAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        CopySource source = await SourceAsync(area, cancellationToken).ConfigureAwait(false);
        return Finding.OfCondition(await ProbeArea.ErrorOfAsync(SendAsync(area, source, new WriteCondition(ForbidsOverwrite: true), cancellationToken)).ConfigureAwait(false));
    }

    private static async Task<Finding> CopySourceIfMatchAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        CopySource source = await SourceAsync(area, cancellationToken).ConfigureAwait(false);
        source = source with { Head = new ObjectHead(source.Info with { ETag = ProbeArea.OtherETag }) };
        return Finding.OfCondition(await ProbeArea.ErrorOfAsync(SendAsync(area, source, default, cancellationToken)).ConfigureAwait(false));
    }

    private static async Task<Finding> PartCopyAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        CopySource source = await SourceAsync(area, cancellationToken).ConfigureAwait(false);
        ProbeUpload upload = await area.CreateUploadAsync("part-copy", ChecksumAlgorithm.None, cancellationToken).ConfigureAwait(false);
        return await ProbeArea.ErrorOfAsync(upload.CopyPartAsync(source, cancellationToken)).ConfigureAwait(false) is { } refusal ? Finding.OfError(refusal) : Finding.Supported;
    }

    private static async Task SendAsync(ProbeArea area, CopySource source, WriteCondition condition, CancellationToken cancellationToken)
    {
        NewObject target = new(area.At(Copy), ChecksumAlgorithm.None, condition, new ObjectHeaders());
        area.Note(await area.SendAsync((wire, token) => wire.CopyObjectAsync(source, target, token), cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Creates the source. Its ETag is left out, so that copies don't need its condition.</summary>
    private static async Task<CopySource> SourceAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        await area.PutAsync(Source, cancellationToken: cancellationToken).ConfigureAwait(false);
        ObjectInfo info = (await area.SendAsync((wire, token) => wire.HeadAsync(area.At(Source), token), cancellationToken).ConfigureAwait(false)).Info;
        return new CopySource(area.At(Source), new ObjectHead(info with { ETag = null }));
    }
}
