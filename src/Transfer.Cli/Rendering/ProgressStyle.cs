namespace Transfer.S3.Cli.Rendering;

/// <summary>What the terminal can show.</summary>
internal sealed record ProgressStyle(bool IsUnicode, bool HasColor)
{
    /// <summary>Gets the mark that replaces the beginning of a long name.</summary>
    public string Mark => IsUnicode ? "…" : "..";

    /// <summary>Gets a bar of exactly the specified number of cells.</summary>
    public string Bar(double fraction, int cells)
    {
        (char done, char left) = IsUnicode ? ('━', HasColor ? '━' : '╌') : ('#', '.');
        int count = Math.Clamp((int)(fraction * cells), 0, cells);
        string doneText = new(done, count);
        string leftText = new(left, cells - count);
        return HasColor ? $"\e[32m{doneText}\e[90m{leftText}\e[0m" : doneText + leftText;
    }
}
