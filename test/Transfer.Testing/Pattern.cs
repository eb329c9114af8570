namespace Transfer.S3.Testing;

/// <summary>
/// Generates bytes that depend on their position, so that content of any size can be created and checked without storing it. A block of noise is
/// repeated. Its length is a prime number, so that no chunk, range, or part equals its neighbors.
/// </summary>
public static class Pattern
{
    private static readonly byte[] Block = Sample.Bytes(65_521);

    /// <summary>Fills a span with the bytes that belong at a position.</summary>
    public static void Fill(Span<byte> bytes, long position)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> piece = PieceAt(position, bytes.Length);
            piece.CopyTo(bytes);
            bytes = bytes[piece.Length..];
            position += piece.Length;
        }
    }

    public static byte[] Bytes(long length)
    {
        byte[] bytes = new byte[length];
        Fill(bytes, 0);
        return bytes;
    }

    /// <summary>Returns how many bytes are those that belong at a position, until the first that isn't.</summary>
    public static int CountRight(ReadOnlySpan<byte> bytes, long position)
    {
        int right = 0;
        while (right < bytes.Length)
        {
            ReadOnlySpan<byte> piece = PieceAt(position + right, bytes.Length - right);
            int same = bytes[right..].CommonPrefixLength(piece);
            right += same;
            if (same < piece.Length)
            {
                break;
            }
        }

        return right;
    }

    private static ReadOnlySpan<byte> PieceAt(long position, int most)
    {
        int start = (int)(position % Block.Length);
        return Block.AsSpan(start, Math.Min(most, Block.Length - start));
    }
}
