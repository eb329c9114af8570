using System.Globalization;
using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Verify;

/// <summary>Compares two objects by what their stores hold. The objects are read only if that isn't conclusive.</summary>
/// <param name="one">The run at the store of the first object.</param>
/// <param name="first">The first object.</param>
/// <param name="other">The run at the store of the second object.</param>
/// <param name="second">The second object.</param>
internal sealed class StoredComparison(TransferRun one, ObjectAddress first, TransferRun other, ObjectAddress second)
{
    /// <summary>Compares two objects by what their listings tell, without a request.</summary>
    /// <param name="length">The size of the first object.</param>
    /// <param name="etag">The ETag of the first object; null if it isn't known.</param>
    /// <param name="otherLength">The size of the second object.</param>
    /// <param name="otherETag">The ETag of the second object; null if it isn't known.</param>
    /// <returns>Null if that isn't conclusive.</returns>
    /// <remarks>Equal ETags that are made of MD5s are evidence. An encrypted object has an ETag that no other object has.</remarks>
    public static VerifyResult? TryCompareListed(long length, string? etag, long otherLength, string? otherETag)
        => BySize(length, otherLength, new TransferStatistics())
            ?? (SameTags.AreEvidence(etag, otherETag) ? Result(VerifyMethod.ETag, length, null, new TransferStatistics()) with { Algorithm = ChecksumAlgorithm.Md5 } : null);

    /// <summary>Looks up both objects.</summary>
    public async Task<(ObjectHead First, ObjectHead Second)> FindAsync(CancellationToken cancellationToken)
    {
        Task<ObjectHead> left = ObjectLookup.HeadAsync(one, first, cancellationToken);
        Task<ObjectHead> right = HeadTargetAsync(cancellationToken);
        await Task.WhenAll(left, right).ConfigureAwait(false);
        return (await left.ConfigureAwait(false), await right.ConfigureAwait(false));
    }

    private async Task<ObjectHead> HeadTargetAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await ObjectLookup.HeadAsync(other, second, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            e.CopySide = CopySide.Target;
            throw;
        }
    }

    /// <summary>Looks up and compares both objects.</summary>
    public async Task<VerifyResult> RunAsync(bool readContent, CancellationToken cancellationToken)
    {
        (ObjectHead from, ObjectHead to) = await FindAsync(cancellationToken).ConfigureAwait(false);
        return await CompareAsync(from, to, readContent, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Compares both objects as they were found.</summary>
    public async Task<VerifyResult> CompareAsync(ObjectHead from, ObjectHead to, bool readContent, CancellationToken cancellationToken)
    {
        return BySize(from.Info.Length, to.Info.Length, one.Reporter.GetStatistics(other.Reporter)) ?? ByChecksum(from, to) ?? ByTag(from.Info, to.Info) ?? (readContent
            ? await ByContentAsync(from.Info, to.Info, cancellationToken).ConfigureAwait(false)
            : Result(VerifyMethod.None, 0, "the stores have no checksums or ETags of both objects that can be compared, and reading the objects is turned off"));
    }

    private static VerifyResult? BySize(long length, long otherLength, TransferStatistics statistics)
        => length == otherLength && length > 0 ? null
            : Result(VerifyMethod.Size, 0, length == otherLength ? null : Text($"the source has {length} bytes, and the target has {otherLength}"), statistics);

    private VerifyResult? ByChecksum(ObjectHead from, ObjectHead to)
    {
        if (from.Checksum is not { } sum || to.Checksum is not { } targetSum)
        {
            return null;
        }

        bool isSame = sum.Value == targetSum.Value;

        // Composite checksums of the same content differ if its parts have other sizes.
        bool isConclusive = sum.Algorithm == targetSum.Algorithm && sum.IsComposite == targetSum.IsComposite && (isSame || !sum.IsComposite);
        return !isConclusive ? null
            : Result(VerifyMethod.Checksum, from.Info.Length, isSame ? null : $"the source's {sum.Algorithm.Name()} is {sum.Value}, and the target's is {targetSum.Value}") with
            {
                Algorithm = sum.Algorithm,
                Checksum = sum.Value,
            };
    }

    private VerifyResult? ByTag(ObjectInfo from, ObjectInfo to)
        => ETags.HideMd5(first, from.Encryption) || ETags.HideMd5(second, to.Encryption) || !Md5Tag.TryRead(from.ETag, out string? md5) || !Md5Tag.TryRead(to.ETag, out string? otherMd5)
            ? null
            : Result(VerifyMethod.ETag, from.Length, md5 == otherMd5 ? null : $"the source's ETag is {from.ETag}, and the target's is {to.ETag}") with { Algorithm = ChecksumAlgorithm.Md5 };

    private async Task<VerifyResult> ByContentAsync(ObjectInfo from, ObjectInfo to, CancellationToken cancellationToken)
    {
        long same = await ObjectContent.CountSameAsync(one, first, from, other, second, to, cancellationToken).ConfigureAwait(false);
        return Result(VerifyMethod.Content, same, same == from.Length ? null : Text($"the first byte that differs is at offset {same}"));
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private VerifyResult Result(VerifyMethod how, long bytes, string? difference) => Result(how, bytes, difference, one.Reporter.GetStatistics(other.Reporter));

    private static VerifyResult Result(VerifyMethod how, long bytes, string? difference, TransferStatistics statistics) => new()
    {
        IsSame = difference is null,
        Method = how,
        Difference = difference,
        Bytes = bytes,
        Statistics = statistics,
    };
}
