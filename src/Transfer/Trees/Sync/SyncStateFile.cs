using System.Buffers.Binary;
using System.Text;
using Transfer.S3.Integrity;

namespace Transfer.S3.Trees;

/// <summary>
/// The format of the state of the last run: entries in the order of their names, in blocks with a checksum. A damaged block is skipped, so that its names are compared
/// again.
/// </summary>
internal static class SyncStateFile
{
    /// <summary>The size at which a block ends.</summary>
    private const int BlockBytes = 64 * 1024;

    /// <summary>The maximum size of a block. A longer one is damaged.</summary>
    private const int MaxBlockBytes = 1 << 20;

    private const int HeaderBytes = sizeof(int) + sizeof(ulong);
    private static readonly byte[] Magic = "transfer sync 2\n"u8.ToArray();

    /// <summary>Writes entries, which must be in order.</summary>
    public static void Write(Stream file, IEnumerable<SyncStateEntry> entries)
    {
        file.Write(Magic);
        using MemoryStream block = new();
        using BinaryWriter writer = new(block, Encoding.Unicode);
        string before = string.Empty;
        foreach (SyncStateEntry entry in entries)
        {
            int shared = entry.Name.AsSpan().CommonPrefixLength(before);
            writer.Write7BitEncodedInt(shared);
            Write(writer, entry.Name.AsSpan(shared));
            Write(writer, entry.Source);
            Write(writer, entry.Target);
            writer.Write((byte)(entry.Content?.Algorithm ?? ChecksumAlgorithm.Auto));
            if (entry.Content is { } content)
            {
                Write(writer, content.Value);
            }

            before = entry.Name;
            if (block.Length >= BlockBytes)
            {
                End();
            }
        }

        End();

        void End()
        {
            if (block.Length > 0)
            {
                ReadOnlySpan<byte> bytes = block.GetBuffer().AsSpan(0, (int)block.Length);
                Span<byte> header = stackalloc byte[HeaderBytes];
                BinaryPrimitives.WriteInt32LittleEndian(header, bytes.Length);
                BinaryPrimitives.WriteUInt64LittleEndian(header[sizeof(int)..], Sum(bytes));
                file.Write(header);
                file.Write(bytes);
                block.SetLength(0);
                before = string.Empty; // each block can be read alone
            }
        }
    }

    /// <summary>Reads the entries. What is damaged is skipped.</summary>
    public static IEnumerable<SyncStateEntry> Read(Stream file)
    {
        byte[] start = new byte[Magic.Length];
        if (file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false) < start.Length || !start.AsSpan().SequenceEqual(Magic))
        {
            yield break;
        }

        byte[] header = new byte[HeaderBytes];
        byte[] bytes = [];
        string? last = null;
        while (file.ReadAtLeast(header, HeaderBytes, throwOnEndOfStream: false) == HeaderBytes)
        {
            int length = BinaryPrimitives.ReadInt32LittleEndian(header);
            if (length is <= 0 or > MaxBlockBytes)
            {
                yield break; // it isn't known where the next block begins
            }

            bytes = bytes.Length < length ? new byte[Math.Max(length, 2 * BlockBytes)] : bytes;
            if (file.ReadAtLeast(bytes.AsSpan(0, length), length, throwOnEndOfStream: false) < length)
            {
                yield break;
            }

            if (Sum(bytes.AsSpan(0, length)) != BinaryPrimitives.ReadUInt64LittleEndian(header.AsSpan(sizeof(int))))
            {
                continue;
            }

            foreach (SyncStateEntry entry in ReadBlock(bytes, length))
            {
                if (last is not null && Wire.KeyOrder.Instance.Compare(entry.Name, last) <= 0)
                {
                    yield break;
                }

                last = entry.Name;
                yield return entry;
            }
        }
    }

    private static IEnumerable<SyncStateEntry> ReadBlock(byte[] bytes, int length)
    {
        using MemoryStream block = new(bytes, 0, length);
        using BinaryReader reader = new(block, Encoding.Unicode);
        string before = string.Empty;
        while (block.Position < length)
        {
            SyncStateEntry entry;
            try
            {
                int shared = reader.Read7BitEncodedInt();
                string name = string.Concat(before.AsSpan(0, shared), ReadText(reader));
                entry = new SyncStateEntry(name, ReadMark(reader), ReadMark(reader), ReadContent(reader));
            }
            catch (Exception e) when (e is IOException or FormatException or ArgumentException)
            {
                yield break; // the checksum of a block that another program wrote can be right
            }

            before = entry.Name;
            yield return entry;
        }
    }

    private static void Write(BinaryWriter writer, ReadOnlySpan<char> text)
    {
        // UTF-16, because half of a surrogate pair can't be written in UTF-8.
        bool isAscii = Ascii.IsValid(text);
        writer.Write7BitEncodedInt((text.Length << 1) | (isAscii ? 1 : 0));
        foreach (char letter in text)
        {
            if (isAscii)
            {
                writer.Write((byte)letter);
            }
            else
            {
                writer.Write((ushort)letter);
            }
        }
    }

    private static string ReadText(BinaryReader reader)
    {
        int header = reader.Read7BitEncodedInt();
        bool isAscii = (header & 1) != 0;
        int count = header >>> 1;
        if (count > reader.BaseStream.Length)
        {
            throw new FormatException("The text is longer than its block.");
        }

        char[] text = new char[count];
        for (int i = 0; i < count; i++)
        {
            text[i] = isAscii ? (char)reader.ReadByte() : (char)reader.ReadUInt16();
        }

        return new string(text);
    }

    private static void Write(BinaryWriter writer, SyncMark mark)
    {
        writer.Write7BitEncodedInt64(mark.Length);
        Write(writer, mark.ETag);
        if (mark.ETag is null)
        {
            writer.Write(mark.LastWrite);
            writer.Write(mark.Changed);
            writer.Write(mark.Inode);
        }
    }

    private static SyncMark ReadMark(BinaryReader reader)
    {
        long length = reader.Read7BitEncodedInt64();
        string etag = ReadText(reader);
        return etag.Length > 0 ? new SyncMark(length, etag, 0, 0, 0) : new SyncMark(length, null, reader.ReadInt64(), reader.ReadInt64(), reader.ReadUInt64());
    }

    private static ContentChecksum? ReadContent(BinaryReader reader)
    {
        ChecksumAlgorithm algorithm = (ChecksumAlgorithm)reader.ReadByte();
        return algorithm == ChecksumAlgorithm.Auto ? null : ContentChecksum.From(algorithm, ReadText(reader)) ?? throw new FormatException("The checksum isn't one of a whole file.");
    }

    private static ulong Sum(ReadOnlySpan<byte> bytes) => Crc.Crc64Nvme.Compute(bytes);
}
