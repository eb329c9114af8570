namespace Transfer.Tests.Upload;

/// <summary>The ways in which bytes can be handed to an upload.</summary>
public enum UploadForm
{
    File,
    Seekable,
    Unseekable,
    Pipe,
    Memory,
}
