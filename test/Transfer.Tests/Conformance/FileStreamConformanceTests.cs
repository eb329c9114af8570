namespace Transfer.S3.Tests.Conformance;

/// <summary>Shows that the contract of seekable streams is that of files.</summary>
public sealed class FileStreamConformanceTests : SeekableStreamConformance
{
    protected override async Task<Stream> OpenAsync()
    {
        string path = Folder.File("content");
        await File.WriteAllBytesAsync(path, Content);
        return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, 4096, useAsync: true);
    }
}
