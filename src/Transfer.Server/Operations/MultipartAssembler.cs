using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Creates an object from the parts of an upload: validates the client's part list and joins the parts without copying data.</summary>
internal static class MultipartAssembler
{
    /// <summary>Finds and validates the parts that the client listed.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="named">The parts that the client listed.</param>
    /// <param name="mustBeEqual">Whether all parts except the last must have the same size, and the last at most that, as on Cloudflare R2.</param>
    public static List<StoredPart> Choose(MultipartUpload upload, IReadOnlyList<CompletionPart> named, bool mustBeEqual)
    {
        Dictionary<int, StoredPart> stored = upload.Parts().ToDictionary(static part => part.Number);
        var chosen = new List<StoredPart>(named.Count);
        foreach (CompletionPart name in named)
        {
            if (!stored.TryGetValue(name.Number, out StoredPart? part)
                || !string.Equals(part.ETag, name.ETag, StringComparison.OrdinalIgnoreCase)
                || name.Checksums.Exists(checksum => part.GetChecksum(checksum.Algorithm) != checksum.Value))
            {
                throw S3Errors.InvalidPart(upload.UploadId, name.Number, name.ETag);
            }

            chosen.Add(part);
        }

        foreach (StoredPart part in chosen.SkipLast(1))
        {
            if (part.Size < ServerDefaults.MinimumPartBytes)
            {
                throw S3Errors.EntityTooSmall(part);
            }
        }

        if (mustBeEqual && (chosen.SkipLast(1).FirstOrDefault(part => part.Size != chosen[0].Size) ?? chosen.TakeLast(1).FirstOrDefault(part => part.Size > chosen[0].Size)) is { } other)
        {
            throw S3Errors.InvalidPart(upload.UploadId, other.Number, other.ETag);
        }

        CheckComposite(upload.Checksum, named);
        return chosen;
    }

    /// <summary>Creates the object. The caller owns its content.</summary>
    public static StoredObject Assemble(MultipartUpload upload, List<StoredPart> parts, IHeaderDictionary headers, DateTimeOffset now)
    {
        long size = parts.Sum(static part => part.Size);
        CheckSize(headers["x-amz-mp-object-size"].ToString(), size);
        ObjectChecksum checksum = Checksum(upload.Checksum, parts);
        CheckChecksum(headers, checksum);
        ChecksumAlgorithm algorithm = checksum.Algorithm;
        return new StoredObject
        {
            Key = upload.Key,
            ETag = ETag(parts),
            LastModified = now,
            Attributes = upload.Attributes,
            Checksum = checksum,
            Parts = [.. parts.Select(part => new ObjectPart(part.Number, part.Size, part.GetChecksum(algorithm)!))],
            Content = Content.Join([.. parts.Select(static part => part.Content)]),
        };
    }

    private static void CheckComposite(UploadChecksum checksum, IReadOnlyList<CompletionPart> named)
    {
        if (checksum.Type != ChecksumType.Composite)
        {
            return;
        }

        CompletionPart? without = named.FirstOrDefault(part => !part.Checksums.Exists(value => value.Algorithm == checksum.Algorithm));
        if (without is not null)
        {
            string name = ChecksumInfo.Get(checksum.Algorithm).ApiName.ToLowerInvariant();
            throw S3Errors.InvalidRequest(
                $"The upload was created using a {name} checksum. The complete request must include the checksum for each part. "
                + $"It was missing for part {without.Number} in the request.");
        }

        if (named[^1].Number != named.Count)
        {
            throw S3Errors.InternalError(); // S3 returns this error when part numbers are missing in an upload with a composite checksum
        }
    }

    private static void CheckSize(string header, long size)
    {
        if (header.Length > 0 && (!long.TryParse(header, out long claimed) || claimed != size))
        {
            throw S3Errors.InvalidRequest($"The provided 'x-amz-mp-object-size' header value {header} does not match what was computed: {size}");
        }
    }

    private static ObjectChecksum Checksum(UploadChecksum checksum, List<StoredPart> parts)
    {
        ChecksumAlgorithm algorithm = checksum.Algorithm;
        string value = checksum.Type == ChecksumType.Composite
            ? ChecksumCombiner.Composite(algorithm, parts.ConvertAll(part => part.GetChecksum(algorithm)!))
            : ChecksumCombiner.FullObject(algorithm, parts.Select(part => (part.GetChecksum(algorithm)!, part.Size)));
        return new ObjectChecksum(algorithm, checksum.Type, value);
    }

    /// <summary>Checks the checksum headers, which describe the object in a completion.</summary>
    private static void CheckChecksum(IHeaderDictionary headers, ObjectChecksum computed)
    {
        string? typeHeader = headers[ChecksumTypeNames.HeaderName];
        if (ChecksumTypeNames.FromHeader(typeHeader) is ChecksumType type && type != computed.Type)
        {
            throw S3Errors.BadDigest("checksum type", type.ApiName(), computed.Type.ApiName());
        }

        DeclaredChecksum? claimed = DeclaredChecksum.FromHeaders(headers);
        if (claimed is null)
        {
            return;
        }

        if (claimed.Info.Algorithm != computed.Algorithm)
        {
            throw S3Errors.InvalidRequest(
                $"Checksum Type mismatch occurred, expected checksum Type: {computed.Info.ApiName.ToLowerInvariant()}, "
                + $"actual checksum Type: {claimed.Info.ApiName.ToLowerInvariant()}");
        }

        bool isEqual = claimed.Value == computed.Value
            || (computed.Type == ChecksumType.Composite && computed.Value.StartsWith(claimed.Value + "-", StringComparison.Ordinal));
        if (!isEqual)
        {
            throw S3Errors.BadDigest(claimed.Info.ApiName, claimed.Value ?? string.Empty, computed.Value);
        }
    }

    private static string ETag(List<StoredPart> parts)
    {
#pragma warning disable CA5351 // S3 ETags are MD5s; they aren't used for security
        using var md5 = IncrementalHash.CreateHash(HashAlgorithmName.MD5);
#pragma warning restore CA5351
        foreach (StoredPart part in parts)
        {
            md5.AppendData(Convert.FromHexString(part.ETag.AsSpan(0, 2 * MD5.HashSizeInBytes)));
        }

        return $"{Convert.ToHexStringLower(md5.GetHashAndReset())}-{parts.Count}";
    }
}
