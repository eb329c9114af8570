using System.Buffers;
using System.Globalization;
using System.IO.Compression;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>A ZIP archive of many small entries and a larger one in the middle, which is read. All entries are stored, so that reading them costs little.</summary>
internal static class ArchiveContent
{
    public const int Entries = 10_000;

    /// <summary>The length of the entry to read.</summary>
    public const int ReadBytes = 1024 * 1024;

    // The sizes of the ZIP format, without names.
    private const int EntryHeaderBytes = 30;
    private const int DirectoryHeaderBytes = 46;
    private const int EndBytes = 22;

    private const int ReadIndex = Entries / 2;
    private static readonly DateTimeOffset Written = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Gets the name of the entry to read.</summary>
    public static string ReadName { get; } = GetName(ReadIndex);

    /// <summary>Creates an archive of exactly the given length.</summary>
    public static ReadOnlySequence<byte> Create(long bytes)
    {
        long directoryBytes = (Entries * (long)(DirectoryHeaderBytes + ReadName.Length)) + EndBytes;
        long average = (bytes - directoryBytes - ReadBytes - (Entries * (long)(EntryHeaderBytes + ReadName.Length))) / (Entries - 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(average, 1, nameof(bytes));
        Random random = new(1);
        using MemoryStream content = new(checked((int)bytes));
        using (ZipArchive archive = new(content, ZipArchiveMode.Create, leaveOpen: true))
        {
            for (int i = 0; i < Entries; i++)
            {
                // The last entry makes the archive as long as it has to be.
                long length = i switch
                {
                    ReadIndex => ReadBytes,
                    Entries - 1 => bytes - directoryBytes - content.Position - EntryHeaderBytes - ReadName.Length,
                    _ => random.NextInt64(average / 8, average * 15 / 8),
                };
                ZipArchiveEntry entry = archive.CreateEntry(GetName(i), CompressionLevel.NoCompression);
                entry.LastWriteTime = Written;
                using Stream stream = entry.Open();
                foreach (ReadOnlyMemory<byte> block in TestData.Create(length))
                {
                    stream.Write(block.Span);
                }
            }
        }

        return content.Length == bytes
            ? new ReadOnlySequence<byte>(content.GetBuffer(), 0, (int)bytes)
            : throw new InvalidOperationException($"The archive has {content.Length} instead of {bytes} bytes.");
    }

    private static string GetName(int number) => string.Create(CultureInfo.InvariantCulture, $"d{number / 1000:000}/entry-{number:000000}.bin");
}
