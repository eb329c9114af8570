using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Integrity;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>A store for a <see cref="ScriptedServer"/> that returns the checksum of one content with the bytes of another.</summary>
/// <param name="told">The content of the checksum.</param>
/// <param name="sent">The content that is sent.</param>
/// <param name="algorithm">The algorithm of the checksum; MD5 for an ETag.</param>
/// <param name="parts">The lengths of the parts of a composite checksum; empty for a full-object checksum.</param>
internal sealed class DamagedStore(byte[] told, byte[] sent, ChecksumAlgorithm algorithm, params int[] parts)
{
    public string Checksum { get; } = Sum(told, algorithm, parts);

    /// <summary>Gets a value that indicates whether an MD5 is a checksum instead of an ETag.</summary>
    public bool KeepsMd5 { get; init; }

    private bool IsTag => algorithm == ChecksumAlgorithm.Md5 && !KeepsMd5;

    private string ETag => IsTag ? Convert.ToHexStringLower(Convert.FromBase64String(Checksum)) : "a-tag";

    private string Name => ChecksumTable.Find(algorithm)!.S3Name!;

    private string Type => parts.Length > 0 ? "COMPOSITE" : "FULL_OBJECT";

    public static byte[] Damaged(byte[] content)
    {
        byte[] damaged = [.. content];
        damaged[damaged.Length / 2] ^= 1;
        return damaged;
    }

    public ScriptedAnswer Answer(ScriptedRequest request)
    {
        if (request.Target.Contains("list-type=2", StringComparison.Ordinal))
        {
            return Xml($"<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated><Contents><Key>folder/key</Key><Size>{sent.Length}</Size><ETag>&quot;{ETag}&quot;</ETag></Contents></ListBucketResult>");
        }

        if (request.Target.Contains("attributes", StringComparison.Ordinal))
        {
            string checksum = IsTag ? string.Empty : $"<Checksum><Checksum{Name}>{Checksum}</Checksum{Name}><ChecksumType>{Type}</ChecksumType></Checksum>";
            string list = string.Concat(parts.Select((length, i) => $"<Part><PartNumber>{i + 1}</PartNumber><Size>{length}</Size></Part>"));
            return Xml($"<GetObjectAttributesResponse><ETag>{ETag}</ETag>{checksum}<ObjectParts><IsTruncated>false</IsTruncated>{list}</ObjectParts></GetObjectAttributesResponse>");
        }

        return request.Header("Range") is not null
            ? ScriptedAnswer.Range(request, sent, $"\r\nETag: \"{ETag}\"")
            : ScriptedAnswer.Of($"HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Length: {sent.Length}\r\nETag: \"{ETag}\"{Headers}", request.Method == "HEAD" ? null : sent);
    }

    private string Headers
        => IsTag ? string.Empty : $"\r\n{algorithm.HeaderName()}: {Checksum}\r\nx-amz-checksum-type: {Type}";

    private static ScriptedAnswer Xml(string body) => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Type: application/xml", body);

    /// <summary>Returns a checksum in the format of S3.</summary>
    public static string Sum(byte[] content, ChecksumAlgorithm algorithm, int[] parts)
    {
        if (parts.Length == 0)
        {
            return SdkUploads.Sum(algorithm, content);
        }

        List<byte> sums = [];
        int offset = 0;
        foreach (int part in parts)
        {
            sums.AddRange(Convert.FromBase64String(SdkUploads.Sum(algorithm, content.AsSpan(offset, part))));
            offset += part;
        }

        return CompositeChecksum.Text(SdkUploads.Sum(algorithm, [.. sums]), parts.Length);
    }
}
