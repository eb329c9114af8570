namespace Transfer.S3.Tests.Infrastructure;

/// <summary>A theory that doesn't run on Windows.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class UnixTheoryAttribute : TheoryAttribute
{
    public UnixTheoryAttribute()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip = "Requires Linux or macOS: Windows has no mode bits.";
        }
    }
}
