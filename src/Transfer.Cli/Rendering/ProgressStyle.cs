namespace Transfer.Cli.Rendering;

/// <summary>What a terminal can show.</summary>
internal sealed record ProgressStyle(bool IsUnicode, bool HasColor)
{
    /// <summary>Stands for what was cut off a name.</summary>
    public string Mark => IsUnicode ? "…" : "..";

    /// <summary>A bar of exactly so many cells.</summary>
    public string Bar(double fraction, int cells)
    {
        (char done, char left) = IsUnicode ? ('━', HasColor ? '━' : '╌') : ('#', '.');
        int count = Math.Clamp((int)(fraction * cells), 0, cells);
        string doneText = new(done, count);
        string leftText = new(left, cells - count);
        return HasColor ? $"\e[32m{doneText}\e[90m{leftText}\e[0m" : doneText + leftText;
    }
}
