using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;
using Amazon.S3;
using Amazon.S3.Model;
using Moq;
using Transfer.S3.Tests.Integrity;

namespace Transfer.S3.Tests.Infrastructure;

internal sealed partial class FakeS3
{
    public const string UploadId = "UPLOAD-ID";
    private readonly ConcurrentDictionary<string, ConcurrentDictionary<int, byte[]>> _parts = new();
    private readonly ConcurrentDictionary<string, bool> _open = new();
    private readonly Lock _publishing = new();
    private int _uploads;
    private int _tags;

    /// <summary>Gets or sets a value that indicates whether a key can have several uploads, whose parts have ETags made of MD5s. They are listed.</summary>
    public bool HasManyUploads { get; set; }

    /// <summary>Gets or sets a callback that is called after an upload was completed. It can throw, so that the response is lost.</summary>
    public Action<S3Call>? Completed { get; set; }

    /// <summary>Gets a value that indicates whether a multipart upload is neither completed nor aborted.</summary>
    public bool HasOpenUpload => !_open.IsEmpty;

    /// <summary>Gets or sets the checksum that the store returns instead of the correct one.</summary>
    public string? ConfirmedChecksum { get; set; }

    /// <summary>Gets or sets a value that indicates whether writes ignore If-None-Match and replace the object, as in some stores.</summary>
    public bool IgnoresIfNoneMatch { get; set; }

    public ConcurrentDictionary<int, byte[]> Parts => GetParts(Key);

    /// <summary>Gets or sets a value that indicates whether a list of parts includes their checksums.</summary>
    public bool ListsPartChecksums { get; set; } = true;

    /// <summary>Gets or sets a function that returns the ETag of a part.</summary>
    public Func<int, string> PartTag { get; set; } = number => $"\"part-{number}\"";

    /// <summary>The number of bytes that are received at once if <see cref="ReceiveAsync"/> is set.</summary>
    public const int PieceBytes = 64 * 1024;

    /// <summary>Gets or sets a function that is called for each piece of a body after it was received, with its number of bytes. It can wait, as a slow link.</summary>
    public Func<S3Call, int, CancellationToken, Task>? ReceiveAsync { get; set; }

    /// <summary>Removes all open uploads without a request.</summary>
    public void Forget()
    {
        _open.Clear();
        Parts.Clear();
    }

    /// <summary>Opens the upload of the key again, with the parts that it had.</summary>
    public void Reopen() => _open[Key] = true;

    /// <summary>Returns the content that was published under the key, or null.</summary>
    public byte[]? Published(string key = Key) => Objects.TryGetValue(key, out FakeObject? found) ? found.Content : null;

    private void SetUpUploads()
    {
        _mock.Setup(s3 => s3.PutObjectAsync(It.IsAny<PutObjectRequest>(), It.IsAny<CancellationToken>()))
            .Returns<PutObjectRequest, CancellationToken>((request, token) => Task.Run(() => PutAsync(request, token)));
        _mock.Setup(s3 => s3.InitiateMultipartUploadAsync(It.IsAny<InitiateMultipartUploadRequest>(), It.IsAny<CancellationToken>()))
            .Returns<InitiateMultipartUploadRequest, CancellationToken>((request, token) => Task.Run(() => CreateAsync(request, token)));
        _mock.Setup(s3 => s3.UploadPartAsync(It.IsAny<UploadPartRequest>(), It.IsAny<CancellationToken>()))
            .Returns<UploadPartRequest, CancellationToken>((request, token) => Task.Run(() => UploadPartAsync(request, token)));
        _mock.Setup(s3 => s3.CompleteMultipartUploadAsync(It.IsAny<CompleteMultipartUploadRequest>(), It.IsAny<CancellationToken>()))
            .Returns<CompleteMultipartUploadRequest, CancellationToken>((request, token) => Task.Run(() => CompleteAsync(request, token)));
        _mock.Setup(s3 => s3.ListPartsAsync(It.IsAny<ListPartsRequest>(), It.IsAny<CancellationToken>()))
            .Returns<ListPartsRequest, CancellationToken>((request, token) => Task.Run(() => ListPartsAsync(request, token)));
        _mock.Setup(s3 => s3.AbortMultipartUploadAsync(It.IsAny<AbortMultipartUploadRequest>(), It.IsAny<CancellationToken>()))
            .Returns<AbortMultipartUploadRequest, CancellationToken>((request, token) => Task.Run(() => AbortAsync(request, token)));
    }

    private async Task<ListPartsResponse> ListPartsAsync(ListPartsRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.ListParts, request.Key, Request: request), cancellationToken);
        ConcurrentDictionary<int, byte[]> sent = OpenParts(request.Key, request.UploadId);

        // Two parts a page, so that there are several pages.
        const int pageSize = 2;
        int after = request.PartNumberMarker is { } marker ? int.Parse(marker, System.Globalization.CultureInfo.InvariantCulture) : 0;
        KeyValuePair<int, byte[]>[] parts = [.. sent.Where(part => part.Key > after).OrderBy(part => part.Key)];
        return new ListPartsResponse
        {
            UploadId = request.UploadId,
            IsTruncated = parts.Length > pageSize,
            NextPartNumberMarker = parts.Length > 0 ? parts[Math.Min(pageSize, parts.Length) - 1].Key : null,
            Parts =
            [
                .. parts.Take(pageSize).Select(part => new PartDetail
                {
                    PartNumber = part.Key,
                    Size = part.Value.Length,
                    ETag = GetTag(part.Key, part.Value),
                    ChecksumCRC64NVME = ListsPartChecksums ? CrcOf.Crc64Nvme(part.Value) : null,
                }),
            ],
        };
    }

    private async Task<byte[]> ReadAsync(S3Call call, Stream body, CancellationToken cancellationToken)
    {
        byte[] bytes = new byte[body.Length - body.Position];
        int piece = ReceiveAsync is null ? bytes.Length : PieceBytes;
        for (int at = 0; at < bytes.Length; at += piece)
        {
            int count = Math.Min(piece, bytes.Length - at);
            await body.ReadExactlyAsync(bytes.AsMemory(at, count), cancellationToken);
            if (ReceiveAsync is { } receiveAsync)
            {
                await receiveAsync(call, count, cancellationToken);
            }
        }

        return await body.ReadAsync(new byte[1], cancellationToken) == 0 ? bytes : throw new InvalidOperationException("The body is longer than its length.");
    }

    private static void CheckSent(string? sent, byte[] bytes)
    {
        if (sent is not null && sent != CrcOf.Crc64Nvme(bytes))
        {
            throw Error(HttpStatusCode.BadRequest, "BadDigest");
        }
    }

    /// <summary>Gets or sets a value that indicates whether ETags are made of MD5s, as in Amazon S3.</summary>
    public bool HasMd5Tags { get; set; }

    /// <summary>Gets or sets a value that indicates whether ETags tell nothing about the content, and there are no checksums.</summary>
    public bool HasOpaqueTags { get; set; }

    /// <summary>Puts an object that any writer could have written.</summary>
    public void Put(string key, byte[] content) => Objects[key] = Tagged(FakeObject.Checked(content), content);

    private FakeObject Tagged(FakeObject item, byte[] content)
    {
        if (!HasMd5Tags)
        {
            return HasOpaqueTags ? Opaque(item) : item;
        }

#pragma warning disable CA5351 // S3 computes ETags with MD5
        return item with { ETag = $"\"{Convert.ToHexStringLower(MD5.HashData(content))}\"" };
#pragma warning restore CA5351
    }

    private FakeObject Opaque(FakeObject item) => item with { ETag = $"\"opaque {Interlocked.Increment(ref _tags)}\"", Crc64Nvme = null };

    private FakeObject OfParts(FakeObject item, byte[][] parts)
    {
        if (HasOpaqueTags)
        {
            return Opaque(item);
        }

#pragma warning disable CA5351 // S3 computes ETags with MD5
        return HasMd5Tags ? item with { ETag = $"\"{Convert.ToHexStringLower(MD5.HashData([.. parts.SelectMany(MD5.HashData)]))}-{parts.Length}\"" } : item;
#pragma warning restore CA5351
    }

    private void CheckCondition(string key, string? ifNoneMatch, string? ifMatch)
    {
        CheckAbsent(key, ifNoneMatch);
        if (ifMatch is not null && Find(key).ETag != ifMatch)
        {
            throw Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed");
        }
    }

    private void CheckAbsent(string key, string? ifNoneMatch)
    {
        if (ifNoneMatch == "*" && !IgnoresIfNoneMatch && Objects.ContainsKey(key))
        {
            throw Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed");
        }
    }

    private ConcurrentDictionary<int, byte[]> GetParts(string key) => _parts.GetOrAdd(key, _ => new ConcurrentDictionary<int, byte[]>());

    /// <summary>Gets the parts of an open upload, which a test can change.</summary>
    public ConcurrentDictionary<int, byte[]> OpenParts(string key, string uploadId)
        => _open.ContainsKey(SlotOf(key, uploadId)) ? GetParts(SlotOf(key, uploadId)) : throw Error(HttpStatusCode.NotFound, "NoSuchUpload");

    private string SlotOf(string key, string uploadId) => HasManyUploads ? $"{uploadId} {key}" : key;

#pragma warning disable CA5351 // S3 computes ETags with MD5
    private string GetTag(int number, byte[] part) => HasManyUploads ? $"\"{Convert.ToHexStringLower(MD5.HashData(part))}\"" : PartTag(number);
#pragma warning restore CA5351

    private async Task<PutObjectResponse> PutAsync(PutObjectRequest request, CancellationToken cancellationToken)
    {
        S3Call call = new(0, S3Call.Put, request.Key, Request: request);
        await EnterAsync(call, cancellationToken);
        byte[] bytes = await ReadAsync(call, request.InputStream, cancellationToken);
        CheckSent(request.ChecksumCRC64NVME, bytes);
        lock (_publishing)
        {
            CheckCondition(request.Key, request.IfNoneMatch, request.IfMatch);
            Objects[request.Key] = Tagged(FakeObject.Checked(bytes), bytes) with { Metadata = request.Metadata.Keys.ToDictionary(name => name["x-amz-meta-".Length..], name => request.Metadata[name]) };
        }

        return new PutObjectResponse { ETag = Objects[request.Key].ETag, ChecksumCRC64NVME = ConfirmedChecksum ?? CrcOf.Crc64Nvme(bytes), ChecksumType = ChecksumType.FULL_OBJECT };
    }

    private async Task<InitiateMultipartUploadResponse> CreateAsync(InitiateMultipartUploadRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.Create, request.Key, Request: request), cancellationToken);
        if (!HasManyUploads)
        {
            _open[request.Key] = true;
            return new InitiateMultipartUploadResponse { UploadId = UploadId };
        }

        string id = $"{UploadId}-{Interlocked.Increment(ref _uploads)}";
        _open[SlotOf(request.Key, id)] = true;
        lock (Unfinished)
        {
            Unfinished.Add(new UnfinishedUpload { Key = request.Key, UploadId = id });
        }

        return new InitiateMultipartUploadResponse { UploadId = id };
    }

    private async Task<UploadPartResponse> UploadPartAsync(UploadPartRequest request, CancellationToken cancellationToken)
    {
        S3Call call = new(0, S3Call.UploadPart, request.Key, Part: request.PartNumber, Request: request);
        await EnterAsync(call, cancellationToken);
        ConcurrentDictionary<int, byte[]> parts = OpenParts(request.Key, request.UploadId);
        byte[] bytes = await ReadAsync(call, request.InputStream, cancellationToken);
        CheckSent(request.ChecksumCRC64NVME, bytes);
        parts[request.PartNumber!.Value] = bytes;
        return new UploadPartResponse { ETag = GetTag(request.PartNumber.Value, bytes), ChecksumCRC64NVME = CrcOf.Crc64Nvme(bytes) };
    }

    private async Task<CompleteMultipartUploadResponse> CompleteAsync(CompleteMultipartUploadRequest request, CancellationToken cancellationToken)
    {
        S3Call call = await EnterAsync(new S3Call(0, S3Call.Complete, request.Key, Request: request), cancellationToken);
        ConcurrentDictionary<int, byte[]> sent = HasManyUploads ? OpenParts(request.Key, request.UploadId) : GetParts(request.Key);
        if (HasManyUploads && request.PartETags.Any(part => !sent.TryGetValue(part.PartNumber!.Value, out byte[]? there) || GetTag(part.PartNumber.Value, there) != part.ETag))
        {
            throw Error(HttpStatusCode.BadRequest, "InvalidPart");
        }

        byte[][] parts = [.. request.PartETags.Select(part => sent[part.PartNumber!.Value])];
        byte[] bytes = Join(parts);
        CheckSent(request.ChecksumCRC64NVME, bytes);
        if (request.MpuObjectSize != bytes.Length)
        {
            throw Error(HttpStatusCode.BadRequest, "InvalidRequest"); // the library always sends it
        }

        lock (_publishing)
        {
            CheckCondition(request.Key, request.IfNoneMatch, request.IfMatch);
            _open.TryRemove(SlotOf(request.Key, request.UploadId), out _);
            Objects[request.Key] = OfParts(FakeObject.Checked(bytes), parts);
        }

        RemoveUnfinished(request.UploadId);
        Completed?.Invoke(call);

        return new CompleteMultipartUploadResponse { ETag = HasMd5Tags || HasOpaqueTags ? Objects[request.Key].ETag : "\"whole-3\"", ChecksumCRC64NVME = ConfirmedChecksum ?? CrcOf.Crc64Nvme(bytes), ChecksumType = ChecksumType.FULL_OBJECT };
    }

    private async Task<AbortMultipartUploadResponse> AbortAsync(AbortMultipartUploadRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.Abort, request.Key, Request: request), cancellationToken);
        if (!_open.TryRemove(SlotOf(request.Key, request.UploadId), out _) && HasManyUploads)
        {
            throw Error(HttpStatusCode.NotFound, "NoSuchUpload");
        }

        RemoveUnfinished(request.UploadId);
        return new AbortMultipartUploadResponse();
    }

    private static byte[] Join(byte[][] parts)
    {
        byte[] bytes = new byte[parts.Sum(part => part.Length)];
        int at = 0;
        foreach (byte[] part in parts)
        {
            part.CopyTo(bytes, at);
            at += part.Length;
        }

        return bytes;
    }

    private void RemoveUnfinished(string uploadId)
    {
        lock (Unfinished)
        {
            Unfinished.RemoveAll(upload => upload.UploadId == uploadId);
        }
    }
}
