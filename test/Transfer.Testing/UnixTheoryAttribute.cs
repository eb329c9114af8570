namespace Transfer.S3.Testing;

/// <summary>A theory that doesn't run on Windows.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class UnixTheoryAttribute : TheoryAttribute
{
    public UnixTheoryAttribute()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip = "Requires Linux or macOS: Windows has no mode bits.";
        }
    }
}
