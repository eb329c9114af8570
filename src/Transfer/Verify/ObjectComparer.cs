using System.Globalization;
using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Verify;

/// <summary>Compares a file with an object by the object's properties. The object is read only if these are not conclusive.</summary>
internal sealed class ObjectComparer(TransferRun run, VerifyRequest request)
{
    public async Task<VerifyResult> RunAsync(CancellationToken cancellationToken)
    {
        using ComparedFile file = ComparedFile.Open(request.Path, request.Root, request.Address);
        if (request.Listed is { } listed)
        {
            if (listed.Length != file.Length || file.Length == 0)
            {
                return BySize(file.Length, listed.Length);
            }

            if (await ByListedTagAsync(file, listed.ETag, cancellationToken).ConfigureAwait(false) is { } told)
            {
                return told;
            }
        }

        ObjectHead head = await ObjectLookup.HeadAsync(run, request.Address, cancellationToken).ConfigureAwait(false);
        ObjectInfo stored = head.Info;
        return stored.Length != file.Length || file.Length == 0
            ? BySize(file.Length, stored.Length)
            : await ByChecksumAsync(file, head, cancellationToken).ConfigureAwait(false)
            ?? await ByTagAsync(file, stored, cancellationToken).ConfigureAwait(false)
            ?? await ByContentAsync(file, stored, cancellationToken).ConfigureAwait(false);
    }

    private VerifyResult BySize(long file, long stored) => Result(file == stored, VerifyMethod.Size, 0) with
    {
        Difference = file == stored ? null : string.Create(CultureInfo.InvariantCulture, $"the file has {file} bytes, and the object has {stored}"),
    };

    /// <summary>
    /// Compares the ETag in a listing. If it is the MD5 of the file, both are the same. Otherwise, the kind of the ETag must be determined from the headers.
    /// </summary>
    private async Task<VerifyResult?> ByListedTagAsync(ComparedFile file, string? etag, CancellationToken cancellationToken)
    {
        bool isOfOnePart = Md5Tag.GetPartCount(etag) == 1;
        if (file.Length > run.Client.Settings.UploadPartSizeBytes || (!isOfOnePart && !Md5Tag.TryRead(etag, out _)))
        {
            return null; // for a larger file, the checksum in the headers takes less time than an MD5
        }

        string md5 = await file.SumAsync(run.Client, ChecksumAlgorithm.Md5, isOfOnePart ? [file.Length] : null, cancellationToken).ConfigureAwait(false);
        return Md5Tag.Matches(etag, md5)
            ? Result(isSame: true, VerifyMethod.ETag, file.Length) with { Algorithm = ChecksumAlgorithm.Md5, Checksum = md5 }
            : null;
    }

    private async Task<VerifyResult?> ByChecksumAsync(ComparedFile file, ObjectHead head, CancellationToken cancellationToken)
    {
        if (head.Checksum is not { } stored)
        {
            return null;
        }

        string expected = stored.Value;
        string? actual = !stored.IsComposite ? await file.SumAsync(run.Client, stored.Algorithm, null, cancellationToken).ConfigureAwait(false)
            : CompositeChecksum.GetPartCount(expected) is { } count ? await SumPartsAsync(file, head.Info, stored.Algorithm, count, sum => sum == expected, cancellationToken).ConfigureAwait(false)
            : null;
        return actual is null
            ? null
            : Result(actual == expected, VerifyMethod.Checksum, file.Length) with
            {
                Algorithm = stored.Algorithm,
                Checksum = actual,
                Difference = actual == expected ? null : $"the file's {stored.Algorithm.Name()} is {actual}, and the object's is {expected}",
            };
    }

    private async Task<VerifyResult?> ByTagAsync(ComparedFile file, ObjectInfo stored, CancellationToken cancellationToken)
    {
        if (ETags.HideMd5(request.Address, stored.Encryption))
        {
            return null;
        }

        string? etag = stored.ETag;
        bool isOfParts = false;
        string? md5 = null;
        if (Md5Tag.TryRead(etag, out _))
        {
            md5 = await file.SumAsync(run.Client, ChecksumAlgorithm.Md5, null, cancellationToken).ConfigureAwait(false);
        }
        else if (stored.Checksum is null && Md5Tag.GetPartCount(etag) is { } count)
        {
            // If there is a checksum, only the lengths of the parts were unknown.
            isOfParts = true;
            md5 = await SumPartsAsync(file, stored, ChecksumAlgorithm.Md5, count, sum => Md5Tag.Matches(etag, sum), cancellationToken).ConfigureAwait(false);
        }

        bool isSame = md5 is not null && Md5Tag.Matches(etag, md5);

        // The ETags of multipart objects aren't standardized, so a different ETag proves nothing.
        return md5 is null || (isOfParts && !isSame)
            ? null
            : Result(isSame, VerifyMethod.ETag, file.Length) with
            {
                Algorithm = ChecksumAlgorithm.Md5,
                Checksum = md5,
                Difference = isSame ? null : $"the file's MD5 is {Convert.ToHexStringLower(Convert.FromBase64String(md5))}, and the object's ETag is {etag}",
            };
    }

    private async Task<VerifyResult> ByContentAsync(ComparedFile file, ObjectInfo info, CancellationToken cancellationToken)
    {
        if (!request.ReadContent)
        {
            return Result(isSame: false, VerifyMethod.None, 0) with
            {
                Difference = "the store has no checksum or ETag of the object that can be compared, and reading the object is turned off",
            };
        }

        long same = await ReadAsync(file, info, cancellationToken).ConfigureAwait(false);
        return Result(same == file.Length, VerifyMethod.Content, same) with
        {
            Difference = same == file.Length ? null : string.Create(CultureInfo.InvariantCulture, $"the first byte that differs is at offset {same}"),
        };
    }

    private async Task<long> ReadAsync(ComparedFile file, ObjectInfo info, CancellationToken cancellationToken)
    {
        if (request.Reading is not { } reading)
        {
            return await ContentComparison.RunAsync(run, request, info, file, cancellationToken).ConfigureAwait(false);
        }

        await reading.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ContentComparison.RunAsync(run, request, info, file, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            reading.Release();
        }
    }

    /// <summary>Computes a composite checksum; null if the store doesn't return the lengths of the parts.</summary>
    private async Task<string?> SumPartsAsync(
        ComparedFile file, ObjectInfo info, ChecksumAlgorithm algorithm, int count, Func<string, bool> isExpected, CancellationToken cancellationToken)
    {
        PartLayoutFinder finder = new(run, request.Address, info, count);
        PartLayout? layout = await finder.FindAsync(mayList: info.Checksum is not null, cancellationToken).ConfigureAwait(false);
        if (layout is null)
        {
            return null;
        }

        string sum = await file.SumAsync(run.Client, algorithm, layout.LengthsBytes, cancellationToken).ConfigureAwait(false);
        if (!layout.IsGuess || isExpected(sum))
        {
            return sum;
        }

        // The difference may only be caused by wrong assumptions about the parts.
        PartLayout? measured = await finder.MeasureAsync(cancellationToken).ConfigureAwait(false);
        return measured is null ? null
            : measured.LengthsBytes.SequenceEqual(layout.LengthsBytes) ? sum
            : await file.SumAsync(run.Client, algorithm, measured.LengthsBytes, cancellationToken).ConfigureAwait(false);
    }

    private VerifyResult Result(bool isSame, VerifyMethod how, long bytes) => new()
    {
        IsSame = isSame,
        Method = how,
        Bytes = bytes,
        Statistics = run.Reporter.GetStatistics(),
    };
}
