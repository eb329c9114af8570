using Transfer.S3.Integrity;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>Whether an upload over an object can send only the parts that differ, again and again.</summary>
internal static class PartReuseProbe
{
    private const string Name = "part-reuse";

    // The smallest part of S3, and one that is smaller, as the last one can be.
    private const long PartBytes = 5 * Sizes.MiB;
    private const long LastBytes = 10;

    public static Probe PartReuse { get; } = new(Name, "Uploads of only the parts of a file that have changed (--delta)", RunAsync)
    {
        Requires = ["multipart", "attributes", "part-copy", "copy-source-if-match"],
    };

    /// <summary>Uploads an object in parts, and replaces it by one whose parts are copied from it.</summary>
    private static async Task<Finding> RunAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        if (area.Algorithm == ChecksumAlgorithm.None)
        {
            return Finding.Unknown("the store accepts neither CRC-64/NVME nor CRC-32C");
        }

        ProbeUpload upload = await area.CreateUploadAsync(Name, area.Algorithm, cancellationToken).ConfigureAwait(false);
        await upload.SendPartAsync(PartBytes, cancellationToken).ConfigureAwait(false);
        await upload.SendPartAsync(LastBytes, cancellationToken).ConfigureAwait(false);
        await upload.CompleteAsync(default, cancellationToken).ConfigureAwait(false);
        if (await ListAsync(area, upload.Address, cancellationToken).ConfigureAwait(false) is not { } stored)
        {
            return Finding.Ignored("--delta sends whole files, because the store does not list the parts of an object with their checksums");
        }

        ProbeUpload copy = await area.CreateUploadAsync(Name, stored.Algorithm, cancellationToken).ConfigureAwait(false);
        CopySource source = new(upload.Address, stored.Head);
        long offset = 0;
        foreach (ListedPart part in stored.Parts)
        {
            PartChecksumValue checksum = PartChecksum.TryParse(stored.Algorithm, part.Checksum!.Value, part.Length)!.Value;
            string? copied = null;
            if (await ProbeArea.ErrorOfAsync(CopyAsync()).ConfigureAwait(false) is { } refusal)
            {
                Finding finding = Finding.OfError(refusal);
                return Refusals.IsOfValue(refusal.StatusCode, refusal.ErrorCode)
                    ? finding with { Detail = $"--delta sends whole files every second time, because the store copies no parts into an upload with checksums: {finding.Detail}" }
                    : finding;
            }

            if (copied is not null && copied != checksum.ToBase64())
            {
                return Finding.Ignored("--delta fails, because a copied part has another checksum");
            }

            offset += part.Length;

            async Task CopyAsync() => copied = await copy.CopyPartAsync(source, offset, checksum, cancellationToken).ConfigureAwait(false);
        }

        if (await ProbeArea.ErrorOfAsync(copy.CompleteAsync(default, cancellationToken)).ConfigureAwait(false) is { } error)
        {
            return Finding.OfError(error);
        }

        return await ListAsync(area, upload.Address, cancellationToken).ConfigureAwait(false) is not null ? Finding.Supported
            : Finding.Ignored("--delta sends whole files every second time, because the store does not list parts that it copied with their checksums");
    }

    private static async Task<StoredPartList?> ListAsync(ProbeArea area, ObjectAddress address, CancellationToken cancellationToken)
    {
        ObjectHead head = await area.SendAsync((wire, token) => wire.HeadAsync(address, token), cancellationToken).ConfigureAwait(false);
        Page<ListedPart>? page = await area.SendAsync((wire, token) => wire.ListStoredPartsAsync(address, head.Info.ETag, null, token), cancellationToken).ConfigureAwait(false);
        return StoredPartList.Create(head, page?.Items ?? []).Stored;
    }
}
