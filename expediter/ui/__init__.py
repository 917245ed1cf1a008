"""What the reader sees: controls, the stage, numbers and words. Streamlit and plotly live here; no torch."""
