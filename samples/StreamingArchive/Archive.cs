using System.IO.Compression;
using System.IO.Pipelines;
using Transfer.S3;

namespace StreamingArchive;

/// <summary>Archives whose length is known only after they were written.</summary>
internal static class Archive
{
    /// <summary>Writes a ZIP archive to an object while it is being created.</summary>
    /// <exception cref="IOException">Thrown when a report can't be read. No object is published, and nothing remains in the store.</exception>
    public static async Task<UploadResult> UploadAsync(ITransferClient client, string bucket, string key, IEnumerable<Report> reports, CancellationToken cancellationToken)
    {
        // If anything throws, the stream is disposed without CompleteAsync. That aborts the upload and removes the parts that were already sent.
        UploadOptions options = new() { ContentType = "application/zip" };
        await using ObjectWriteStream output = await client.OpenWriteAsync(bucket, key, options, cancellationToken);
        await WriteAsync(output.Writer, reports, cancellationToken);
        return await output.CompleteAsync(cancellationToken);
    }

    /// <summary>Writes a ZIP archive to any pipe, such as that of an object or the body of an HTTP response.</summary>
    private static async Task WriteAsync(PipeWriter output, IEnumerable<Report> reports, CancellationToken cancellationToken)
    {
        await using Stream stream = output.AsStream(leaveOpen: true);
        await using ZipArchive archive = await ZipArchive.CreateAsync(stream, ZipArchiveMode.Create, leaveOpen: true, entryNameEncoding: null, cancellationToken);
        foreach (Report report in reports)
        {
            ZipArchiveEntry entry = archive.CreateEntry(report.Name, CompressionLevel.Fastest);
            await using Stream content = await entry.OpenAsync(cancellationToken);
            await using StreamWriter writer = new(content, leaveOpen: true); // it would close the entry synchronously
            foreach (string line in report.Lines)
            {
                await writer.WriteLineAsync(line.AsMemory(), cancellationToken);
            }
        }
    }
}
