using System.Globalization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>Formats sizes of a listing: with units, or as exact numbers of bytes.</summary>
/// <param name="IsExact">Whether sizes are numbers of bytes.</param>
internal readonly record struct SizeText(bool IsExact)
{
    private const int ExactCells = 15; // a petabyte

    /// <summary>Gets the width of a column of sizes.</summary>
    public int Cells => IsExact ? ExactCells : 9;

    /// <summary>Gets a size as a cell of a column.</summary>
    public string Cell(long bytes) => (IsExact ? bytes.ToString(CultureInfo.InvariantCulture) : ByteSize.Format(bytes)).PadLeft(Cells);

    /// <summary>Gets a size within a sentence.</summary>
    public string Text(long bytes) => IsExact ? string.Create(CultureInfo.InvariantCulture, $"{bytes} B") : ByteSize.Format(bytes);
}
