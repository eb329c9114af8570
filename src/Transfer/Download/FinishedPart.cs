namespace Transfer.Download;

/// <summary>A part that is in the file.</summary>
/// <param name="At">Its first byte.</param>
/// <param name="Bytes">How many.</param>
/// <param name="Crc64Nvme">What they are: what is in the file after a crash is compared with it.</param>
internal sealed record FinishedPart(long At, long Bytes, string Crc64Nvme);
