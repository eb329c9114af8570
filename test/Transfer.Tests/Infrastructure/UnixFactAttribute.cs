namespace Transfer.Tests.Infrastructure;

/// <summary>A test of what Windows does not have.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class UnixFactAttribute : FactAttribute
{
    public UnixFactAttribute()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip = "Windows has no mode bits.";
        }
    }
}
