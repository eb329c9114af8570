using System.Buffers.Binary;
using Transfer.Server.Checksums;
using Transfer.Server.Http;
using Transfer.Server.Storage;

namespace Transfer.Server.Operations;

/// <summary>Takes in the bytes of objects and parts.</summary>
internal static class Ingest
{
    /// <summary>Reads a request's body into the store.</summary>
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

    /// <summary>Computes over bytes that are in the store already. The result shares the content, which stays the caller's.</summary>
    public static async Task<ReceivedContent> ReadAsync(S3Exchange exchange, Content content, ChecksumKind checksum)
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
    /// The MD5; where none was computed, digits made of the checksum and the length, which tell contents apart as well, with an ending that keeps clients from taking
    /// them for one: as if the object had come in one part.
    /// </summary>
    private static string ETag(BodyDigests digests, long length)
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
