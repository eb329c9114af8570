namespace Transfer.Server.Storage.Folder;

/// <summary>Bytes of a data file.</summary>
internal sealed record SliceRecord(string File, long Offset, long Length)
{
    public static SliceRecord[] Of(Content content) =>
        [.. content.Slices.Select(static slice => new SliceRecord(((FolderBlob)slice.Blob).Id, slice.Offset, slice.Length))];
}
