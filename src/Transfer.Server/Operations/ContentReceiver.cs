using System.Buffers.Binary;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Stores the content of objects and parts.</summary>
internal static class ContentReceiver
{
    /// <summary>Reads the body of a request into the store.</summary>
    public static async Task<ReceivedContent> ReceiveAsync(S3Exchange exchange, RequestBody body)
    {
        if (body.Length > ServerDefaults.MaximumPartBytes)
        {
            throw S3Errors.EntityTooLarge(body.Length, ServerDefaults.MaximumPartBytes);
        }

        IBlobWriter writer = exchange.Server.Blobs.CreateWriter(body.Length);
        await using (writer.ConfigureAwait(false))
        {
            await body.ReadAsync(writer).ConfigureAwait(false);
            IBlob blob = await writer.CompleteAsync(exchange.Aborted).ConfigureAwait(false);
            return new ReceivedContent(Content.Adopt(blob), ETag(body.Digests, blob.Length), body.Digests.Checksums);
        }
    }

    /// <summary>Computes the digests of stored content. The result shares the content, which the caller still owns.</summary>
    public static async Task<ReceivedContent> ReadAsync(S3Exchange exchange, Content content, ChecksumAlgorithm checksum)
    {
        using var digests = new BodyDigests(exchange.Server.MakesMd5 && content.KeepsBytes, sha256: false, [checksum]);
        using ContentReader reader = content.OpenReader(0, content.Length);
        while (true)
        {
            ReadOnlyMemory<byte> bytes = await reader.ReadAsync(long.MaxValue, exchange.Aborted).ConfigureAwait(false);
            if (bytes.IsEmpty)
            {
                break;
            }

            digests.Append(bytes.Span);
        }

        digests.Finish();
        return new ReceivedContent(content, ETag(digests, content.Length), digests.Checksums);
    }

    /// <summary>
    /// Returns the MD5. If none was computed, returns digits from the checksum and the length, which also distinguish contents. The suffix, that of a
    /// multipart upload with one part, keeps clients from taking them for an MD5.
    /// </summary>
    public static string ETag(BodyDigests digests, long length)
    {
        if (digests.Md5 is not null)
        {
            return Convert.ToHexStringLower(digests.Md5);
        }

        Span<byte> tag = stackalloc byte[16];
        tag.Clear();
        byte[] checksum = Convert.FromBase64String(digests.Checksums[0].Value);
        checksum.AsSpan(0, Math.Min(checksum.Length, sizeof(long))).CopyTo(tag);
        BinaryPrimitives.WriteInt64BigEndian(tag[sizeof(long)..], length);
        return Convert.ToHexStringLower(tag) + "-1";
    }
}
