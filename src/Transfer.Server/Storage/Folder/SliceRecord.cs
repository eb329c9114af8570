namespace Transfer.S3.Server.Storage.Folder;

/// <summary>A range of a data file.</summary>
internal sealed record SliceRecord(string File, long Offset, long Length)
{
    /// <summary>Returns a value that indicates whether all slices are valid and name data files of this server, which are in its directory.</summary>
    public static bool AreSound(SliceRecord[]? slices) =>
        slices is not null
        && Array.TrueForAll(slices, static slice => slice is { Offset: >= 0, Length: >= 0 } && slice.Length <= long.MaxValue - slice.Offset && FolderLayout.IsId(slice.File));

    public static SliceRecord[] From(Content content) =>
        [.. content.Slices.Select(static slice => new SliceRecord(((FolderBlob)slice.Blob).Id, slice.Offset, slice.Length))];
}
