namespace Transfer.S3.Files;

/// <summary>The kind of a file system entry, from its mode. The default value means that there is no entry.</summary>
internal readonly record struct FileKind(ushort RawMode)
{
    private const int TypeMask = 0xF000;
    private const int RegularFile = 0x8000;
    private const int Folder = 0x4000;
    private const int Link = 0xA000;
    private const int Pipe = 0x1000;
    private const int BlockDevice = 0x6000;

    public bool IsThere => RawMode != 0;

    public bool IsRegularFile => (RawMode & TypeMask) == RegularFile;

    public bool IsFolder => (RawMode & TypeMask) == Folder;

    public bool IsLink => (RawMode & TypeMask) == Link;

    public bool IsPipe => (RawMode & TypeMask) == Pipe;

    public bool IsBlockDevice => (RawMode & TypeMask) == BlockDevice;

    /// <summary>Gets the permissions that a file with other content can keep. They don't include the set-user-ID and set-group-ID bits.</summary>
    public UnixFileMode Permissions => Mode & (UnixFileMode)0x1FF;

    public UnixFileMode Mode => (UnixFileMode)(RawMode & 0xFFF);
}
