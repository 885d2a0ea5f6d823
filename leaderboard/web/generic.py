"""Django's classes with their type parameters, which Django itself does not take at run time."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from leaderboard.models import Method, User

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    AccountAdmin = UserAdmin[User]
    MethodModelForm = forms.ModelForm[Method]
else:
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline
    AccountAdmin = UserAdmin
    MethodModelForm = forms.ModelForm
