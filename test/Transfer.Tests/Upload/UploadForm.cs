namespace Transfer.S3.Tests.Upload;

/// <summary>The kinds of sources of an upload.</summary>
public enum UploadForm
{
    File,
    Seekable,
    Unseekable,
    Pipe,
    Memory,
}
