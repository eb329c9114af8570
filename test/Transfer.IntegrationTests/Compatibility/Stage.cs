using System.Collections.Concurrent;
using System.Security.Cryptography;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;

namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>The environment of a case: a utility, a bucket and a folder for this case only, and notes of what was observed.</summary>
public sealed class Stage(ITransferUtility utility, AmazonS3Client s3, string bucket, string folder)
{
    private readonly ConcurrentQueue<string> _notes = new();

    public ITransferUtility Utility => utility;

    public AmazonS3Client S3 => s3;

    public string Bucket => bucket;

    public string File(string name) => Path.Combine(folder, name);

    public string NewFile(string name, long length)
    {
        System.IO.File.WriteAllBytes(File(name), Pattern.Bytes(length));
        return File(name);
    }

    /// <summary>Creates an object, in parts if a part size is given.</summary>
    public async Task NewObjectAsync(string key, long length, int partSize = 0)
    {
        byte[] content = Pattern.Bytes(length);
        if (partSize == 0)
        {
            PutObjectRequest put = new() { BucketName = bucket, Key = key, InputStream = new MemoryStream(content), ContentType = "text/x-case" };
            put.Metadata["x-amz-meta-colour"] = "blue";
            put.Headers.CacheControl = "max-age=7";
            await s3.PutObjectAsync(put);
            return;
        }

        string id = (await s3.InitiateMultipartUploadAsync(bucket, key)).UploadId;
        List<PartETag> parts = [];
        for (int i = 0; i * partSize < length; i++)
        {
            byte[] part = content[(i * partSize)..(int)Math.Min(length, (i + 1) * partSize)];
            UploadPartResponse sent = await s3.UploadPartAsync(
                new UploadPartRequest { BucketName = bucket, Key = key, UploadId = id, PartNumber = i + 1, InputStream = new MemoryStream(part) });
            parts.Add(new PartETag(sent));
        }

        await s3.CompleteMultipartUploadAsync(new CompleteMultipartUploadRequest { BucketName = bucket, Key = key, UploadId = id, PartETags = parts });
    }

    public void Note(string text) => _notes.Enqueue(text);

    public static async Task<string> ReadAsync(Stream stream)
    {
        await using (stream)
        {
            MemoryStream copy = new();
            await stream.CopyToAsync(copy);
            return Hash(copy.ToArray());
        }
    }

    /// <summary>Runs the case and returns a description of all its results.</summary>
    public async Task<string> RunAsync(Func<Stage, Task> run)
    {
        List<string> lines = [];
        try
        {
            await run(this);
            lines.Add("returned");
        }
#pragma warning disable CA1031 // exceptions are part of the result
        catch (Exception e)
#pragma warning restore CA1031
        {
            lines.Add(Describe(e));
        }

        lines.AddRange(_notes.Select(note => "note: " + note));
        foreach (string path in Directory.GetFiles(folder, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            lines.Add($"file: {Path.GetRelativePath(folder, path)} {Hash(await System.IO.File.ReadAllBytesAsync(path))}");
        }

        foreach (S3Object item in (await s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = bucket })).S3Objects ?? [])
        {
            using GetObjectResponse got = await s3.GetObjectAsync(bucket, item.Key);
            string metadata = string.Join(',', got.Metadata.Keys.Order(StringComparer.Ordinal).Select(name => $"{name}={got.Metadata[name]}"));
            lines.Add($"object: {item.Key} {got.ETag} {got.Headers.ContentType} {got.Headers.CacheControl} [{metadata}] {await ReadAsync(got.ResponseStream)}");
        }

        int open = (await s3.ListMultipartUploadsAsync(new ListMultipartUploadsRequest { BucketName = bucket })).MultipartUploads?.Count ?? 0;
        lines.Add($"open uploads: {open}");
        return string.Join('\n', lines).Replace(bucket, "BUCKET", StringComparison.Ordinal).Replace(folder, "FOLDER", StringComparison.Ordinal);
    }

    private static string Describe(Exception e)
    {
        string text = $"threw {e.GetType().FullName}: {e.Message}";
        return e is AmazonServiceException s
            ? $"{text} [{s.ErrorCode} {s.StatusCode} {s.ErrorType} id={!string.IsNullOrEmpty(s.RequestId)}]"
            : e is OperationCanceledException ? "cancelled" : text;
    }

    private static string Hash(byte[] content) => $"{content.Length}:{Convert.ToHexString(SHA256.HashData(content))[..8]}";
}
