using System.IO.Compression;
using Transfer.S3;

namespace ReadArchive;

/// <summary>A ZIP archive of photos, which are too different to compress.</summary>
internal static class Photos
{
    public const int Count = 1_000;

    public static string GetName(int number) => $"photos/{number:0000}.raw";

    /// <summary>Writes the archive. It is never in memory or on the disk as a whole.</summary>
    public static async Task WriteAsync(ITransferClient client, string bucket, string key, long bytes, CancellationToken cancellationToken)
    {
        UploadOptions options = new() { ContentType = "application/zip" };
        await using ObjectWriteStream output = await client.OpenWriteAsync(bucket, key, options, cancellationToken);
        await using (ZipArchive archive = await ZipArchive.CreateAsync(output, ZipArchiveMode.Create, leaveOpen: true, entryNameEncoding: null, cancellationToken))
        {
            byte[] photo = new byte[bytes / Count];
            for (int number = 0; number < Count; number++)
            {
                new Random(number).NextBytes(photo);
                ZipArchiveEntry entry = archive.CreateEntry(GetName(number), CompressionLevel.NoCompression);
                await using Stream content = await entry.OpenAsync(cancellationToken);
                await content.WriteAsync(photo, cancellationToken);
            }
        }

        await output.CompleteAsync(cancellationToken);
    }
}
